import { setTimeout as sleep } from 'node:timers/promises';
import { between } from '@mooring/terminal/random';
import type { Kind } from './kind.ts';

/** In which an open page notices that its line was cut. */
const NOTICE_MS = 5000;

export const lines: readonly Kind[] = [
  {
    name: 'connections cut',
    isPossible: () => true,
    async strike({ world, random, outageSeconds, broken }) {
      const { http, mqtt } = world.lines;
      const which = random() < 0.4 ? [http, mqtt] : random() < 0.5 ? [http] : [mqtt];
      for (const line of which) line.cut();
      const over = sleep(between(random, 0.2, 1) * outageSeconds * 1000);
      if (which.includes(http) && !(await world.onlooker.saysLost(NOTICE_MS))) broken('the open page did not say that its line is lost');
      await over;
      for (const line of which) line.mend();
    },
  },
  {
    name: 'connections slowed',
    isPossible: () => true,
    async strike({ world, random, outageSeconds }) {
      for (const line of Object.values(world.lines)) line.slow(between(random, 50, 400));
      await sleep(outageSeconds * 1000);
      for (const line of Object.values(world.lines)) line.slow(0);
    },
  },
  {
    name: 'all terminals reconnect at once',
    isPossible: () => true,
    async strike({ world }) {
      for (let times = 0; times < 3; times += 1) {
        world.lines.mqtt.drop();
        await sleep(700);
      }
    },
  },
];
