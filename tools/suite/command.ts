import { commandLine } from '../../terminal/src/command-line.mjs';
import { commands, typed } from '../setup/commands.mjs';

/** What was typed behind `npm run <name> --`. */
export function commandOf(name: string) {
  const command = commands[name];
  if (!command) throw new Error(`${name} is no command`);
  return commandLine(typed(name), command, process.argv.slice(2));
}
