" Open, save and look in a real Vim with ALE; what the user would see is written as JSON.
" vim --not-a-term -n -i NONE -u NONE -S ale.vim, with the task in the environment.

set nocompatible nomore encoding=utf-8
let s:task = json_decode($JIT_LSP_TASK)
let s:seen = {}

function! s:WaitFor(what, condition) abort
  let l:end = reltimefloat(reltime()) + s:task.patience
  while !a:condition()
    if reltimefloat(reltime()) > l:end
      throw 'no ' . a:what
    endif
    sleep 20m
  endwhile
endfunction

function! s:Diagnostics() abort
  return ale#engine#GetLoclist(bufnr(''))
endfunction

function! s:Seen(diagnostic) abort
  let l:line = getline(a:diagnostic.lnum)
  return {
  \ 'line': a:diagnostic.lnum - 1,
  \ 'text': l:line[a:diagnostic.col - 1 : a:diagnostic.end_col - 1],
  \ 'severity': a:diagnostic.type,
  \ 'code': get(a:diagnostic, 'code', ''),
  \ 'message': get(a:diagnostic, 'detail', a:diagnostic.text),
  \ }
endfunction

function! s:Previews() abort
  return filter(range(1, winnr('$')), {_, n -> getwinvar(n, '&previewwindow')})
endfunction

function! s:Hover() abort
  ALEHover
  call s:WaitFor('hover', {-> !empty(s:Previews())})
  return join(getbufline(winbufnr(s:Previews()[0]), 1, '$'), "\n")
endfunction

function! s:Hints() abort
  let l:end = {'line': line('$'), 'character': 0}
  let l:params = {
  \ 'textDocument': {'uri': ale#util#ToURI(expand('%:p'))},
  \ 'range': {'start': {'line': 0, 'character': 0}, 'end': l:end},
  \ }
  let l:answers = []
  call ale#lsp_linter#SendRequest(bufnr(''), 'jit-lsp',
  \ [0, 'textDocument/inlayHint', l:params], {answer -> add(l:answers, answer)})
  call s:WaitFor('hints', {-> !empty(l:answers)})
  return map(copy(l:answers[0].result), {_, hint -> hint.label})
endfunction

function! s:Fix(diagnostic) abort
  call cursor(a:diagnostic.lnum, a:diagnostic.col)
  let l:offered = []
  call ale#codefix#Execute(0, {data, items -> add(l:offered, [data, items])})
  call s:WaitFor('code actions', {-> !empty(l:offered)})
  let [l:data, l:items] = l:offered[0]
  call ale#codefix#ApplyLSPCodeAction(l:data, l:items[0][1])
  write!
  call s:WaitFor('end of the diagnostics', {-> empty(s:Diagnostics())})
  return l:items[0][1].title
endfunction

function! s:Run() abort
  let g:ale_linters_explicit = 1
  let g:ale_linters = {'python': ['jit-lsp']}
  let g:ale_lint_on_save = 1
  let g:ale_hover_to_preview = 1
  packadd ale
  filetype plugin on
  call ale#linter#Define('python', {
  \ 'name': 'jit-lsp',
  \ 'lsp': 'stdio',
  \ 'executable': s:task.command[0],
  \ 'command': '%e ' . join(s:task.command[1:]),
  \ 'project_root': s:task.folder,
  \ 'initialization_options': {'jit-lsp': {'interpreter': s:task.interpreter}},
  \ })
  execute 'edit' fnameescape(s:task.file)
  set filetype=python
  write!
  call s:WaitFor('diagnostics', {-> !empty(s:Diagnostics())})
  let s:seen.diagnostics = map(copy(s:Diagnostics()), {_, d -> s:Seen(d)})
  call cursor(s:task.hover_line + 1, 1)
  let s:seen.hover = s:Hover()
  let s:seen.hints = s:Hints()
  let s:seen.title = s:Fix(s:Diagnostics()[0])
endfunction

try
  call s:Run()
catch /E919/
  let s:seen.missing = 'ALE'
catch
  let s:seen.problem = v:exception . ' at ' . v:throwpoint
endtry
call writefile([json_encode(s:seen)], s:task.output)
qa!
