import { deviceCalls } from '@mooring/contract/device/calls';
import { type Invariant, some } from './invariant.ts';

/** The console said what was going on: no answer without a name, none that was wrong in calm, and no process ended by itself. */
export const said: Invariant = {
  name: 'what was said',
  async check(world) {
    const { wrong } = world.console;
    const deaths = [...world.servers.map((server) => server.process), ...world.fleets.processes].flatMap((one) => one.deaths);
    const counts = await world.console.call(deviceCalls.counts);
    const online = counts.ok ? (counts.body.byStatus['3'] ?? 0) : -1;
    return [
      ...(wrong.length === 0 ? [] : [`${wrong.length} wrong answers: ${some(wrong)}`]),
      ...deaths,
      ...(online === world.fleets.count ? [] : [`the console counts ${online} devices in contact of ${world.fleets.count}`]),
    ];
  },
};
