import { audit } from './audit.ts';
import { commands } from './commands.ts';
import { counters } from './counters.ts';
import type { Invariant } from './invariant.ts';
import { onlooker } from './onlooker.ts';
import { installs, results } from './results.ts';
import { said } from './said.ts';
import { jobs, uploads } from './uploads.ts';

export const allInvariants: readonly Invariant[] = [results, installs, commands, uploads, jobs, counters, audit, said, onlooker];
