import { type Invariant, some } from './invariant.ts';

const counted = (rows: readonly { sn: string; n: number }[], what: string): string[] =>
  rows.length === 0 ? [] : [`${rows.length} devices with ${what}: ${some(rows.map((row) => `${row.sn} ${row.n}`))}`];

/** Every device has exactly one final result, and it is success. */
export const results: Invariant = {
  name: 'results',
  async check(world, { taskId, version, state }) {
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
    const told = await world.query<{ sn: string }>(
      'select d.sn from device d join rollout_result r on r.device_id = d.id where r.task_id = $1 and d.firmware is distinct from $2',
      [taskId, version],
    );
    const ended = await state();
    return [
      ...(rows.length === world.fleets.count ? [] : [`${rows.length} results of ${world.fleets.count} devices`]),
      ...(open.length === 0
        ? []
        : [
            `${open.length} devices without success: ${some(open.map((row) => `${row.sn} ${row.state} ${row.phase} ${row.reason} ${row.attempts}`))}`,
          ]),
      ...counted(wins, 'other than one successful attempt'),
      ...counted(ends, 'other than one move to success'),
      ...(told.length === 0 ? [] : [`${told.length} devices are listed with another version: ${some(told.map((row) => row.sn))}`]),
      ...(ended === 'finished' ? [] : [`the task is ${ended}`]),
    ];
  },
};

/** Every terminal installed it once, and what it installed is what was released. */
export const installs: Invariant = {
  name: 'installs',
  async check(world, { version, sha256 }) {
    const states = await world.fleets.states();
    const of = (terminal: (typeof states)[number]) => terminal.installs.filter((one) => one.version === version);
    const wrong = states.filter((one) => of(one).length !== 1);
    const foreign = states.filter((one) => of(one).some((install) => install.sha256 !== sha256));
    const unsent = states.filter((one) => one.unsent > 0);
    return [
      ...(wrong.length === 0
        ? []
        : [`${wrong.length} terminals installed it not once: ${some(wrong.map((one) => `${one.sn} ${of(one).length}`))}`]),
      ...(foreign.length === 0 ? [] : [`${foreign.length} terminals installed other bytes: ${some(foreign.map((one) => one.sn))}`]),
      ...(unsent.length === 0 ? [] : [`${unsent.length} terminals still have something to say: ${some(unsent.map((one) => one.sn))}`]),
    ];
  },
};
