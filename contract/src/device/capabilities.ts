import { commandKinds, thingCommands } from './commands.ts';

/** What a terminal may say that it can do: kinds of deployments, ways of installing, and commands (docs/device-protocol.md). Others are kept and shown as sent. */
export const capabilities = [
  'firmware',
  'module',
  'patch',
  'appPermission',
  'networkConfig',
  'paramFile',
  'storeAdvertSpace',
  'systemCustomization',
  'customizeDesktop',
  'androidParam',
  'softApp',
  'softAppParams',
  'config',
  'diffFrames',
  'appDiff',
  'appDiffEntries',
  'resume',
  'window',
  'newWindow',
  'logLines',
  'hardwareTest',
  ...commandKinds,
  ...thingCommands,
] as const;
export type Capability = (typeof capabilities)[number];
