import { askMasterKey } from './ask-master-key.ts';
import { readVariables, type variables } from './variables.mjs';

type Variables = typeof variables;
type Values = {
  readonly [Name in keyof Variables]:
    | ReturnType<Variables[Name]['read']>
    | (Variables[Name]['normal'] extends undefined ? undefined : never);
};

export type Service = 'http' | 'worker' | 'gateway' | 'broker';
export const allServices: readonly Service[] = ['http', 'worker', 'gateway', 'broker'];
export type Config = Values & { readonly services: readonly Service[]; readonly demo: boolean; readonly dev: boolean };

/** Reads environment and arguments; a wrong one is named, never guessed. */
export function readConfig(env: NodeJS.ProcessEnv, args: readonly string[]): Config {
  const { values, wrong } = readVariables(env);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  const config = values as Values;
  const at = args.findIndex((arg) => /^--services(=|$)/.test(arg));
  const named = (args[at]?.includes('=') ? args[at]?.slice('--services='.length) : at < 0 ? undefined : args[at + 1])?.split(',');
  const unknown = named?.filter((one) => !allServices.includes(one as Service)) ?? [];
  if (unknown.length > 0) throw new Error(`--services: unknown ${unknown.join(', ')}; there are ${allServices.join(', ')}`);
  const wanted = (named as Service[] | undefined) ?? allServices;
  const services = config.MQTT_URL ? wanted.filter((one) => one !== 'broker') : wanted;
  const { MASTER_KEY_COMMAND: command } = config;
  const MASTER_KEY = command ? askMasterKey(command) : config.MASTER_KEY;
  return { ...config, MASTER_KEY, services, demo: args.includes('--demo'), dev: args.includes('--dev') };
}
