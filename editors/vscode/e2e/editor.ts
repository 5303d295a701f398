/** A real VS Code of its own: code-server with a fresh home, and Chromium that looks at it. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import type * as VSCode from 'vscode';

export const PATIENCE = 60_000; // milliseconds; a test fails after that, none is timed
export const PICTURES = resolve('out/pictures');

const ROOT = resolve('../..');
/** The environment of the clone, which has the server installed. */
export const ENVIRONMENT = join(ROOT, '.dev/venv');
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export interface Options {
  /** Names and texts of the files in the workspace. */
  readonly files: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly trusted?: boolean;
  /** Packages to install. */
  readonly extensions: readonly string[];
  readonly userSettings?: Readonly<Record<string, unknown>>;
  readonly size?: { readonly width: number; readonly height: number };
}

export class Editor {
  readonly folder: string;
  /** An environment with NumPy alone. */
  readonly environment: string;
  readonly python: string;
  page!: Page;
  readonly #home: string;
  readonly #socket: string;
  readonly #options: Options;
  #server: ChildProcess | undefined;
  #browser: BrowserContext | undefined;

  private constructor(options: Options) {
    this.#options = options;
    this.#home = mkdtempSync(join(tmpdir(), 'jit-lsp-e2e-'));
    this.#socket = join(this.#home, 'driver.sock');
    this.folder = join(this.#home, 'project');
    this.environment = join(this.#home, 'venv');
    this.python = join(this.environment, 'bin/python');
  }

  static async start(options: Options): Promise<Editor> {
    const editor = new Editor(options);
    try {
      await editor.#start();
    } catch (error) {
      await editor.stop();
      throw error;
    }
    return editor;
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
    const server = this.#server;
    if (server?.pid !== undefined && server.exitCode === null) {
      process.kill(-server.pid, 'SIGTERM'); // with the extension host, which is its child
      await Promise.race([new Promise(done => server.once('exit', done)), sleep(5000)]);
    }
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  /** Runs `code` in the extension host, where it sees the editor's API and `argument`, no more. */
  async inside<Argument, Value>(
    code: (vscode: typeof VSCode, argument: Argument) => Value | Promise<Value>,
    argument: Argument,
  ): Promise<Value> {
    const answer = await this.#ask(JSON.stringify({ code: code.toString(), argument }));
    const { value, error } = JSON.parse(answer);
    if (error !== undefined) {
      throw new Error(`in the editor: ${error}`);
    }
    return value;
  }

  /** What `look` gives once `is` accepts it. */
  async until<Value>(
    what: string,
    look: () => Promise<Value>,
    is: (value: Value) => boolean,
  ): Promise<Value> {
    const start = Date.now();
    for (;;) {
      const value = await look();
      if (is(value)) {
        return value;
      }
      if (Date.now() - start > PATIENCE) {
        await this.picture('failed');
        throw new Error(`never saw ${what}; at last ${JSON.stringify(value)}`);
      }
      await sleep(100);
    }
  }

  /** The window is opened again, with another extension host. */
  async reload(): Promise<void> {
    await this.inside(() => Reflect.set(globalThis, 'before', true), undefined);
    await this.page.reload();
    await this.page.waitForSelector('.monaco-workbench');
    await this.#driven();
  }

  /** Waits for what fades in or out. */
  async calm(): Promise<void> {
    await this.page.evaluate(() =>
      Promise.all(document.getAnimations().map(motion => motion.finished.catch(() => null))),
    );
    await sleep(300);
  }

  /** Keeps what a person sees now. */
  async picture(name: string): Promise<void> {
    mkdirSync(PICTURES, { recursive: true });
    await this.page.screenshot({ path: join(PICTURES, `${name}.png`) });
  }

  /** The command lines of processes of this editor in which a text stands. */
  processes(text: string): string[] {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(readCommand)
      .filter(command => command.includes(this.#home) && command.includes(text));
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  async #start(): Promise<void> {
    this.#fill();
    const port = await freePort();
    const code = this.#codeServer();
    const config = join(this.#home, 'config.yaml');
    writeFileSync(config, `bind-addr: 127.0.0.1:${port}\nauth: none\ncert: false\n`);
    const shared = [
      '--config',
      config,
      '--user-data-dir',
      join(this.#home, 'data'),
      '--extensions-dir',
      join(this.#home, 'extensions'),
    ];
    const environment = this.#environment();
    for (const extension of this.#options.extensions) {
      execFileSync(code.node, [code.entry, ...shared, '--install-extension', extension], {
        env: environment,
        stdio: 'pipe',
      });
    }
    const trust = this.#options.trusted === false ? [] : ['--disable-workspace-trust'];
    this.#server = spawn(
      code.node,
      [
        code.entry,
        ...shared,
        '--disable-telemetry',
        '--disable-update-check',
        '--disable-getting-started-override',
        ...trust,
      ],
      {
        env: environment,
        stdio: process.env['JIT_LSP_NOISY'] ? 'inherit' : 'ignore',
        detached: true,
      },
    );
    await this.#look(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(this.folder)}`);
    await this.#driven();
  }

  async #driven(): Promise<void> {
    await this.until(
      'the driver',
      () => this.inside(() => !Reflect.has(globalThis, 'before'), undefined).catch(() => false),
      there => there,
    );
  }

  #fill(): void {
    mkdirSync(join(this.folder, '.vscode'), { recursive: true });
    for (const [name, text] of Object.entries(this.#options.files)) {
      writeFileSync(join(this.folder, name), text);
    }
    makeEnvironment(this.environment);
    writeFileSync(
      join(this.folder, '.vscode/settings.json'),
      JSON.stringify({ 'jit-lsp.interpreter': this.python, ...this.#options.settings }),
    );
    const user = join(this.#home, 'data/User');
    mkdirSync(user, { recursive: true });
    writeFileSync(join(user, 'settings.json'), JSON.stringify(this.#userSettings()));
  }

  #userSettings(): object {
    return {
      'workbench.startupEditor': 'none',
      'workbench.tips.enabled': false,
      'workbench.secondarySideBar.defaultVisibility': 'hidden',
      'chat.disableAIFeatures': true,
      'security.workspace.trust.startupPrompt': 'never',
      'security.workspace.trust.banner': 'never',
      'editor.fontSize': 13,
      'files.autoSave': 'off',
      'telemetry.telemetryLevel': 'off',
      ...this.#options.userSettings,
    };
  }

  /** Nothing in it leads to the clone or to its environment. */
  #environment(): NodeJS.ProcessEnv {
    const own = /^(VIRTUAL_ENV|PYTHON|npm_|NODE_|INIT_CWD)/;
    const others = Object.entries(process.env).filter(([name]) => !own.test(name));
    const path = (process.env['PATH'] ?? '').split(delimiter).filter(it => !it.startsWith(ROOT));
    return {
      ...Object.fromEntries(others),
      PATH: path.join(delimiter),
      HOME: this.#home,
      JIT_LSP_DRIVER: this.#socket,
      XDG_CACHE_HOME: join(this.#home, 'cache'),
    };
  }

  #codeServer(): { node: string; entry: string } {
    const home = execFileSync('e2e/install-editor.sh', {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }).trim();
    return { node: join(home, 'run-node'), entry: join(home, 'code-server/out/node/entry.js') };
  }

  async #look(address: string): Promise<void> {
    const executablePath = BROWSERS.find(existsSync);
    if (executablePath === undefined) {
      throw new Error('there is no Chromium');
    }
    this.#browser = await chromium.launchPersistentContext(join(this.#home, 'browser'), {
      executablePath,
      headless: true,
      chromiumSandbox: false,
      viewport: this.#options.size ?? { width: 1280, height: 800 },
      args: [
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
    this.page = this.#browser.pages()[0] ?? (await this.#browser.newPage());
    this.page.setDefaultTimeout(PATIENCE);
    await this.until(
      'code-server',
      () =>
        this.page.goto(address).then(
          () => true,
          () => false,
        ),
      ok => ok,
    );
    await this.page.waitForSelector('.monaco-workbench');
  }

  #ask(line: string): Promise<string> {
    return new Promise((done, fail) => {
      let answer = '';
      const socket = createConnection(this.#socket, () => socket.write(`${line}\n`));
      socket.setEncoding('utf8');
      socket.once('error', fail);
      socket.once('close', () => fail(new Error('the driver has gone')));
      socket.on('data', text => {
        answer += text;
        if (answer.endsWith('\n')) {
          done(answer);
          socket.destroy();
        }
      });
    });
  }
}

/** An environment with NumPy and nothing else, so that nothing of the server's comes from it. */
function makeEnvironment(folder: string): void {
  execFileSync(join(ENVIRONMENT, 'bin/python'), ['-m', 'venv', '--without-pip', folder]);
  const packages = execFileSync(
    join(folder, 'bin/python'),
    ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))'],
    { encoding: 'utf8' },
  ).trim();
  const source = execFileSync(
    join(ENVIRONMENT, 'bin/python'),
    ['-c', 'import sysconfig; print(sysconfig.get_path("platlib"))'],
    { encoding: 'utf8' },
  ).trim();
  for (const name of ['numpy', 'numpy.libs']) {
    if (existsSync(join(source, name))) {
      symlinkSync(join(source, name), join(packages, name));
    }
  }
}

function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return ''; // it has ended
  }
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? done(address.port) : fail(address),
      );
    });
  });
}
