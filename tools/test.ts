import { runChecks } from './suite/checks.ts';
import { commandOf } from './suite/command.ts';
import { close, sum, type Tally } from './suite/tally.ts';
import { runTests } from './suite/vitest.ts';

// With arguments only the tests whose file names hold one of them: npm test -- firmware
const filters = commandOf('test').names;
// Whoever names a sweep wants all of it.
if (filters.length > 0) process.env.SWEEP ??= 'whole';
const tallies: Tally[] = [];
if (filters.length === 0) tallies.push(await runChecks());
for (const project of filters.length > 0 ? ['small', 'medium', 'journeys'] : ['medium', 'journeys'])
  tallies.push(await runTests(project, filters));
const whole = sum(tallies);
close(whole.passed + whole.failed > 0 ? whole : { passed: 0, failed: 1, failures: ['no test has that in its file name'] });
