/** All that a report of a problem needs, and nothing of the program. */

import { env, version, window, workspace } from 'vscode';
import { SECTION } from '../settings';
import type { Command, Parts } from '.';

export const printDebugInformation: Command = async parts => {
  const document = await workspace.openTextDocument({
    language: 'jsonc',
    content: JSON.stringify(information(parts), null, 2),
  });
  await window.showTextDocument(document, { preview: true });
};

function information({ context, server, runs }: Parts): object {
  const file = window.activeTextEditor?.document;
  return {
    extension: context.extension.packageJSON.version,
    editor: `${env.appName} ${version}`,
    platform: `${process.platform} ${process.arch}`,
    remote: env.remoteName ?? null,
    trusted: workspace.isTrusted,
    server: { ...server.state, pid: server.pid ?? null, ...server.chosen },
    settings: workspace.getConfiguration(SECTION),
    lastRun: runs.of(file) ?? null,
  };
}
