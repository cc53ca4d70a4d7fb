import type { Sent } from '../releases/sent.ts';
import type { World } from '../world/world.ts';
import { type Invariant, some } from './invariant.ts';

const counted = (rows: readonly { sn: string; n: number }[], what: string): string[] =>
  rows.length === 0 ? [] : [`${rows.length} devices with ${what}: ${some(rows.map((row) => `${row.sn} ${row.n}`))}`];

async function resultsOf(world: World, taskId: number): Promise<string[]> {
  const rows = await world.query<{ sn: string; state: string; phase: string | null; reason: string | null; attempts: number }>(
    'select sn, state, phase, reason, attempts from rollout_result where task_id = $1',
    [taskId],
  );
  const open = rows.filter((row) => row.state !== '3' && row.state !== '6');
  const wins = await world.query<{ sn: string; n: number }>(
    `select r.sn, count(a.offer) filter (where a.outcome = 'success' and not a.late)::int as n from rollout_result r left join rollout_attempt a on a.result_id = r.id
       where r.task_id = $1 group by r.sn having count(a.offer) filter (where a.outcome = 'success' and not a.late) <> 1`,
    [taskId],
  );
  const ends = await world.query<{ sn: string; n: number }>(
    `select r.sn, count(c.id)::int as n from rollout_result r left join state_change c on c.life = 'taskResult' and c.row_id = r.id and c.to_state in ('3', '6')
       where r.task_id = $1 group by r.sn having count(c.id) <> 1`,
    [taskId],
  );
  return [
    ...(rows.length === world.fleets.count ? [] : [`${rows.length} results of ${world.fleets.count} devices`]),
    ...(open.length === 0
      ? []
      : [
          `${open.length} devices without success: ${some(open.map((row) => `${row.sn} ${row.state} ${row.phase} ${row.reason} ${row.attempts}`))}`,
        ]),
    ...counted(wins, 'other than one successful attempt'),
    ...counted(ends, 'other than one move to success'),
  ];
}

/** Of every release every device has exactly one final result, and it is success. */
export const results: Invariant = {
  name: 'results',
  async check(world, { all, taskId, version, open }) {
    const found = [...(await open())];
    for (const one of all) found.push(...(await resultsOf(world, one.taskId)).map((what) => `${one.kind}: ${what}`));
    const told = await world.query<{ sn: string }>(
      'select d.sn from device d join rollout_result r on r.device_id = d.id where r.task_id = $1 and d.firmware is distinct from $2',
      [taskId, version],
    );
    return [
      ...found,
      ...(told.length === 0 ? [] : [`${told.length} devices are listed with another version: ${some(told.map((row) => row.sn))}`]),
    ];
  },
};

type Terminals = Awaited<ReturnType<World['fleets']['states']>>;
function installedOnce(states: Terminals, { installed }: Sent): string[] {
  if (!installed) return [];
  const of = (terminal: Terminals[number]) => terminal.installs.filter(({ version }) => version === installed.version);
  const wrong = states.filter((one) => of(one).length !== 1);
  const foreign = states.filter((one) => of(one).some(({ sha256 }) => sha256 !== installed.sha256));
  return [
    ...(wrong.length === 0
      ? []
      : [`${wrong.length} terminals installed it not once: ${some(wrong.map((one) => `${one.sn} ${of(one).length}`))}`]),
    ...(foreign.length === 0 ? [] : [`${foreign.length} terminals installed other bytes: ${some(foreign.map((one) => one.sn))}`]),
  ];
}

/** Every terminal has what was released to it, and what is installed it installed once. */
export const installs: Invariant = {
  name: 'installs',
  async check(world, { all }) {
    const states = await world.fleets.states();
    const found = all.flatMap((one) => {
      const without = states.filter((terminal) => !one.holds(terminal));
      const missing = without.length === 0 ? [] : [`${without.length} terminals don't have it: ${some(without.map(({ sn }) => sn))}`];
      return [...missing, ...installedOnce(states, one)].map((what) => `${one.kind}: ${what}`);
    });
    const unsent = states.filter((one) => one.unsent > 0);
    return [
      ...found,
      ...(unsent.length === 0 ? [] : [`${unsent.length} terminals still have something to say: ${some(unsent.map((one) => one.sn))}`]),
    ];
  },
};
