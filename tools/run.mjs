// Entry of every npm script. Runs on any Node from 20 on, without dependencies: what it starts runs on Node 24.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { readVariables } from '../server/src/platform/config/variables.mjs';
import { commandLine } from '../terminal/src/command-line.mjs';
import { commands, typed } from './setup/commands.mjs';
import { buildConsole, consoleIsFresh } from './setup/console.mjs';
import { childEnv } from './setup/environment.mjs';
import { findNode } from './setup/find-node.mjs';
import { ensureInstalled } from './setup/install.mjs';
import { root } from './setup/root.mjs';

const [name = '', ...args] = process.argv.slice(2);
if (name === '' || name === '--help') {
  const width = Math.max(...Object.keys(commands).map((one) => one.length));
  for (const [one, { about }] of Object.entries(commands)) console.log(`  ${one.padEnd(width)}  ${about}`);
  process.exit(0);
}
const command = commands[name];
if (!command) {
  console.error(`Unknown command ${JSON.stringify(name)}. There are: ${Object.keys(commands).join(', ')}.`);
  process.exit(2);
}
// Before anything is installed, built or written.
commandLine(typed(name), command, args);
if (command.installation) {
  const { wrong } = readVariables(process.env);
  if (wrong.length > 0) {
    console.error(`${wrong.join('\n')}\ndocs/operate.md explains every setting.`);
    process.exit(2);
  }
}

try {
  await ensureInstalled();
  const node = findNode();
  const env = childEnv(node);
  const always = command.console === 'always';
  if (always || (command.console && !consoleIsFresh())) await buildConsole(node, env, always);
  if (command.script) run(node, [join(root, command.script), ...(command.args ?? []), ...args], env);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

/** Takes the place of this process as far as Node 20 can: same streams, signals passed on, same exit. */
function run(node, argv, env) {
  const child = spawn(node, argv, { stdio: 'inherit', env });
  // A terminal sends Ctrl+C to the whole group: passing it on would deliver it twice.
  const onInterrupt = () => process.stdin.isTTY || child.kill('SIGINT');
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGHUP'));
  stopWithParent(child);
  child.on('error', (error) => {
    console.error(`${node} does not start: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** npm passes a signal on to its shell only, which ends without telling us: that our parent is gone is the message. */
function stopWithParent(child) {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 200);
}
