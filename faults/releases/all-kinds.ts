import { softApp } from './apps.ts';
import { contentReleases } from './contents.ts';
import { packageReleases } from './packages.ts';
import { paramFiles } from './param-files.ts';
import type { Round, Sent } from './sent.ts';
import { settingReleases } from './settings.ts';

/** One release of each kind, firmware first. */
export const allReleases: readonly ((of: Round) => Promise<Sent>)[] = [
  ...packageReleases,
  ...settingReleases,
  ...contentReleases,
  paramFiles,
  softApp,
];
