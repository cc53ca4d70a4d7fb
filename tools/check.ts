import { runChecks } from './suite/checks.ts';
import { close } from './suite/tally.ts';

close(await runChecks());
