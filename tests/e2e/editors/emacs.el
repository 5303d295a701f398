;; Open, save, look, fix, in a real Emacs with eglot; what the user would see is written as JSON.
;; emacs --batch -Q -l emacs.el, with the task in the environment.

(setq package-directory-list '("/usr/share/emacs/site-lisp/elpa"))
(package-initialize)
(require 'eglot)
(require 'flymake)
(require 'json)

(defvar task (json-parse-string (getenv "JIT_LSP_TASK") :object-type 'alist))
(defvar seen nil)

(defun wait-for (what condition)
  (let ((end (+ (float-time) (alist-get 'patience task))))
    (while (not (funcall condition))
      (when (> (float-time) end) (error "no %s" what))
      (accept-process-output nil 0.02))))

(defun see (key value)
  (push (cons key value) seen))

(defun diagnostic-seen (diagnostic)
  (goto-char (flymake-diagnostic-beg diagnostic))
  (list (cons 'line (1- (line-number-at-pos)))
        (cons 'text (buffer-substring-no-properties (flymake-diagnostic-beg diagnostic)
                                                    (flymake-diagnostic-end diagnostic)))
        (cons 'severity (format "%s" (flymake-diagnostic-type diagnostic)))
        (cons 'message (flymake-diagnostic-text diagnostic))))

(defun save ()
  (set-buffer-modified-p t)
  (save-buffer))

(defun run ()
  (setq eglot-sync-connect (alist-get 'patience task) eglot-events-buffer-size 0)
  (find-file (alist-get 'file task))
  (python-mode)
  (let ((contact (append (alist-get 'command task)
                         (list :initializationOptions
                               (list :jit-lsp
                                     (list :interpreter (alist-get 'interpreter task)))))))
    (eglot '(python-mode) (cons 'transient (alist-get 'folder task)) 'eglot-lsp-server
           contact "python"))
  (save)
  (wait-for "diagnostics" #'flymake-diagnostics)
  (see 'diagnostics (vconcat (mapcar #'diagnostic-seen (flymake-diagnostics))))
  (goto-char (point-min))
  (forward-line (alist-get 'hover_line task))
  (let* ((server (eglot-current-server))
         (hover (jsonrpc-request server :textDocument/hover (eglot--TextDocumentPositionParams))))
    (see 'hover (plist-get (plist-get hover :contents) :value))
    (see 'hints
         (mapcar (lambda (hint) (plist-get hint :label))
                 (jsonrpc-request server :textDocument/inlayHint
                                  (list :textDocument (eglot--TextDocumentIdentifier)
                                        :range (list :start (eglot--pos-to-lsp-position (point-min))
                                                     :end (eglot--pos-to-lsp-position
                                                           (point-max)))))))
    (let* ((diagnostic (car (flymake-diagnostics)))
           (actions (eglot-code-actions (flymake-diagnostic-beg diagnostic)
                                        (flymake-diagnostic-end diagnostic) "quickfix")))
      (see 'title (plist-get (elt actions 0) :title))
      (let ((eglot-confirm-server-initiated-edits nil))
        (eglot--apply-workspace-edit (plist-get (elt actions 0) :edit))))
    (save)
    (wait-for "end of the diagnostics" (lambda () (null (flymake-diagnostics))))
    (eglot-shutdown server)))

(condition-case problem
    (run)
  (error (see 'problem (error-message-string problem))))
(write-region (json-encode seen) nil (alist-get 'output task))
(kill-emacs 0)
