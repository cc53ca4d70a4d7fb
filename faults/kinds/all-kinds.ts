import { clocks } from './clocks.ts';
import { fullDisk } from './full.ts';
import { idle } from './idle.ts';
import { kills } from './kill.ts';
import type { Kind } from './kind.ts';
import { lines } from './lines.ts';
import { outages } from './outage.ts';
import { unknown } from './unknown.ts';

export const allKinds: readonly Kind[] = [...kills, ...outages, fullDisk, ...clocks, ...lines, idle, unknown];
