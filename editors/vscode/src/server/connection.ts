/**
 * The connection to a server's process. The only module that needs the client library: it is loaded
 * when a process is there, not when the extension is activated.
 */

import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type CancellationToken, Uri } from 'vscode';
import {
  CloseAction,
  type ConfigurationParams,
  type ConfigurationRequest,
  ErrorAction,
  LanguageClient,
  type Middleware,
  RevealOutputChannelOn,
  type StaticFeature,
} from 'vscode-languageclient/node';
import type { Logs } from '../logs';
import { CAPABILITIES, type RunStatus, SCHEME, STATUS } from '../protocol';
import { SECTION } from '../settings';
import type { Interpreters } from './interpreter';

export interface Connection {
  start(): Promise<void>;
  ask<Answer>(method: string, params: unknown): Promise<Answer>;
  dispose(): Promise<void>;
}

/** Who is told. */
export interface Listener {
  onStatus(status: RunStatus): void;
  onClosed(): void;
}

export function connect(
  server: ChildProcessWithoutNullStreams,
  interpreters: Interpreters,
  logs: Logs,
  middleware: Middleware,
  listener: Listener,
): Connection {
  const client = new LanguageClient(SECTION, 'jit-lsp', async () => server, {
    documentSelector: [
      { scheme: 'file', language: 'python' },
      { scheme: SCHEME, language: 'jit-ir' },
    ],
    outputChannel: logs.client,
    stdioOptions: {
      stdout: () => undefined,
      stderr: stream => {
        createInterface({ input: stream }).on('line', line => logs.server.info(line));
      },
    },
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        listener.onClosed();
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
    middleware: {
      ...middleware,
      workspace: {
        configuration: (params, token, next) => configuration(interpreters, params, token, next),
      },
    },
  });
  client.registerFeature(SAYS_WHAT_IT_CAN);
  client.onNotification(STATUS, (status: RunStatus) => listener.onStatus(status));
  return {
    start: () => client.start(),
    ask: (method, params) => client.sendRequest(method, params),
    dispose: () => client.dispose(),
  };
}

/** The settings as they are, but with the interpreter that the user chose, wherever that was. */
async function configuration(
  interpreters: Interpreters,
  params: ConfigurationParams,
  token: CancellationToken,
  next: ConfigurationRequest.HandlerSignature,
): Promise<unknown[]> {
  const answers = await next(params, token);
  if (!Array.isArray(answers)) {
    return [];
  }
  const filled = params.items.map(async ({ section, scopeUri }, position) => {
    const answer: unknown = answers[position];
    if (section !== SECTION || typeof answer !== 'object') {
      return answer;
    }
    const scope = scopeUri === undefined ? undefined : Uri.parse(scopeUri);
    const choice = await interpreters.choose(scope);
    return { ...answer, interpreter: choice.explicit ? choice.interpreter : null };
  });
  return Promise.all(filled);
}

const SAYS_WHAT_IT_CAN: StaticFeature = {
  fillClientCapabilities: capabilities => {
    capabilities.experimental = { ...capabilities.experimental, ...CAPABILITIES };
  },
  initialize: () => undefined,
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};
