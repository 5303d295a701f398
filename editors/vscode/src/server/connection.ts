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
import { addressOf, CAPABILITIES, type RunStatus, SCHEME, STATUS } from '../protocol';
import { chosenSettings, SECTION } from '../settings';
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

export async function connect(
  server: ChildProcessWithoutNullStreams,
  interpreters: Interpreters,
  logs: Logs,
  middleware: Middleware,
  listener: Listener,
): Promise<Connection> {
  const settings = await settingsFor(interpreters); // known before the first run can begin
  const client = new LanguageClient(SECTION, 'jit-lsp', async () => server, {
    documentSelector: [
      { scheme: 'file', language: 'python' },
      { notebook: 'jupyter-notebook', language: 'python' },
      { scheme: SCHEME, language: 'jit-ir' },
    ],
    uriConverters: { code2Protocol: addressOf, protocol2Code: text => Uri.parse(text) },
    initializationOptions: { [SECTION]: settings },
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

async function configuration(
  interpreters: Interpreters,
  params: ConfigurationParams,
  token: CancellationToken,
  next: ConfigurationRequest.HandlerSignature,
): Promise<unknown[]> {
  const answers = await next(params, token);
  const filled = params.items.map(({ section, scopeUri }, position) => {
    if (section === SECTION) {
      return settingsFor(interpreters, scopeUri === undefined ? undefined : Uri.parse(scopeUri));
    }
    return Array.isArray(answers) ? answers[position] : null;
  });
  return Promise.all(filled);
}

/** The settings that are set, with the interpreter that the user chose, wherever that was. */
async function settingsFor(interpreters: Interpreters, scope?: Uri): Promise<object> {
  const choice = await interpreters.choose(scope);
  const interpreter = choice.explicit ? choice.interpreter : null;
  return { ...chosenSettings(scope), interpreter };
}

const SAYS_WHAT_IT_CAN: StaticFeature = {
  fillClientCapabilities: capabilities => {
    capabilities.experimental = { ...capabilities.experimental, ...CAPABILITIES };
  },
  initialize: () => undefined,
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};
