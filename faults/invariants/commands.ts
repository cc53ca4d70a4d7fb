import { type Invariant, some } from './invariant.ts';

/** Every durable command came to exactly one end, nothing waits, and no terminal did one twice. */
export const commands: Invariant = {
  name: 'commands',
  async check(world) {
    const waiting = await world.query<{ word: string }>(
      `select topic || ' of ' || sn || ' ' || state || ' after ' || attempts || ', next ' || next_at as word from gateway_outbox where state in ('waiting', 'sent')`,
    );
    const ends = await world.query<{ word: string }>(
      `select o.kind || ' ' || o.id || ' of ' || o.sn || ': ' || count(c.id) as word from gateway_outbox o
         left join state_change c on c.life = 'deviceCommand' and c.row_id = o.id and c.to_state in ('done', 'failed', 'expired', 'withdrawn')
       where o.topic = 'command' and o.state not in ('waiting', 'sent') group by o.id having count(c.id) <> 1`,
    );
    // Neither had a reason to fail.
    const failed = await world.query<{ word: string }>(
      "select kind || ' ' || id || ' of ' || sn || ': ' || state || ' ' || coalesce(reason, '') as word from gateway_outbox where topic = 'command' and state in ('failed', 'expired')",
    );
    const lacking = await world.query<{ sn: string }>('select sn from device where config_revision > coalesce(config_reported, 0)');
    const twice = (await world.fleets.states()).filter((one) => new Set(one.shown).size !== one.shown.length);
    return [
      ...(waiting.length === 0 ? [] : [`${waiting.length} messages wait: ${some(waiting.map((row) => row.word))}`]),
      ...(ends.length === 0 ? [] : [`${ends.length} commands without exactly one end: ${some(ends.map((row) => row.word))}`]),
      ...(failed.length === 0 ? [] : [`${failed.length} commands failed: ${some(failed.map((row) => row.word))}`]),
      ...(lacking.length === 0 ? [] : [`${lacking.length} terminals lack their configuration: ${some(lacking.map((row) => row.sn))}`]),
      ...(twice.length === 0 ? [] : [`${twice.length} terminals showed a message twice: ${some(twice.map((one) => one.sn))}`]),
    ];
  },
};
