import { parseArgs } from 'node:util';

/**
 * An option of a command. One with a `value` takes it (shown in the help by this name), any other is a switch.
 * @typedef {{ readonly about: string, readonly value?: string, readonly default?: string, readonly needed?: boolean, readonly is?: 'count' | 'sizes' | readonly string[], readonly each?: readonly string[] }} Option
 * A command: what it does, what stands behind its name, how many of these it takes, and its options.
 * @typedef {{ readonly about: string, readonly takes?: string, readonly least?: number, readonly most?: number, readonly among?: readonly string[], readonly options?: Readonly<Record<string, Option>> }} Declared
 */

const EXIT_WRONG_USE = 2;
const help = { help: { about: 'says this' } };

/** @param {string} name how it is typed, such as `npm run backup --` @param {Declared} command */
export function usage(name, command) {
  const options = Object.entries({ ...command.options, ...help });
  const left = options.map(([option, { value }]) => `--${option}${value ? ` ${value}` : ''}`);
  const width = Math.max(...left.map((text) => text.length));
  const lines = options.map(([, { about, default: normal }], at) => `  ${left[at].padEnd(width)}  ${about}${normal ? ` (${normal})` : ''}`);
  return `${command.about}\n\n  ${name} ${[...(command.takes ? [command.takes] : []), '[options]'].join(' ')}\n\n${lines.join('\n')}\n`;
}

/** @param {string} name @param {Option} option @param {string} value @returns {string | undefined} */
function wrongValue(name, option, value) {
  if (option.is === 'count' && !/^\d{1,9}$/.test(value)) return `--${name} wants a whole number, not ${JSON.stringify(value)}.`;
  if (option.is === 'sizes' && !/^[1-9]\d{1,4}x[1-9]\d{1,4}(,[1-9]\d{1,4}x[1-9]\d{1,4})*$/.test(value))
    return `--${name} wants a size such as 1280x800, not ${JSON.stringify(value)}.`;
  if (Array.isArray(option.is) && !option.is.includes(value))
    return `--${name} wants one of ${option.is.join(', ')}, not ${JSON.stringify(value)}.`;
  const unknown = option.each ? value.split(',').filter((one) => !option.each.includes(one)) : [];
  return unknown.length > 0 ? `--${name} wants some of ${option.each.join(', ')}, not ${JSON.stringify(unknown[0])}.` : undefined;
}

/** @param {Declared} command @param {readonly string[]} names @returns {string | undefined} */
function wrongNames(command, names) {
  const { takes, least = 0, most = takes ? Number.POSITIVE_INFINITY : 0, among } = command;
  const unknown = among ? names.filter((one) => !among.includes(one)) : [];
  if (unknown.length > 0) return `Unknown: ${unknown.join(', ')}. There are ${among?.join(', ')}.`;
  if (names.length > most) return `${JSON.stringify(names[most])} is one too many.`;
  return names.length < least ? `${takes} is missing.` : undefined;
}

/**
 * What was typed behind a command, or why it can't be meant.
 * @param {Declared} command @param {readonly string[]} argv
 * @returns {{ readonly wrong: string } | { readonly help: true } | { readonly names: readonly string[], readonly values: Readonly<Record<string, string | undefined>>, readonly on: ReadonlySet<string> }}
 */
export function readCommandLine(command, argv) {
  const declared = { ...command.options, ...help };
  const options = Object.fromEntries(
    Object.entries(declared).map(([name, { value, default: normal }]) => [
      name,
      value ? { type: 'string', ...(normal === undefined ? {} : { default: normal }) } : { type: 'boolean' },
    ]),
  );
  let read;
  try {
    read = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    // Its second sentence explains how dashes are escaped.
    return { wrong: `${error.message.split('. ')[0].replace(/\.$/, '')}.` };
  }
  const { values, positionals } = read;
  if (values.help) return { help: true };
  for (const [name, value] of Object.entries(values)) {
    const wrong = typeof value === 'string' ? wrongValue(name, declared[name], value) : undefined;
    if (wrong) return { wrong };
  }
  const missing = Object.keys(declared).find((name) => declared[name].needed && !values[name]);
  if (missing) return { wrong: `--${missing} is missing.` };
  const wrong = wrongNames(command, positionals);
  if (wrong) return { wrong };
  const texts = Object.entries(values).filter(([, value]) => typeof value === 'string');
  const on = Object.keys(values).filter((name) => values[name] === true);
  return { names: positionals, values: Object.fromEntries(texts), on: new Set(on) };
}

/**
 * The same for the command itself: says its help, or what is wrong, and ends there.
 * @param {string} name @param {Declared} command @param {readonly string[]} argv
 */
export function commandLine(name, command, argv) {
  const read = readCommandLine(command, argv);
  if ('help' in read) {
    process.stdout.write(usage(name, command));
    process.exit(0);
  }
  if ('wrong' in read) {
    process.stderr.write(`${read.wrong} ${name} --help says what there is.\n`);
    process.exit(EXIT_WRONG_USE);
  }
  return read;
}
