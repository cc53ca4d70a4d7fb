import { expect, test } from 'vitest';
import { webhookEvents } from '../webhook-events.ts';
import { webhookEventTexts } from './webhook-event.texts.ts';

test('every event that other systems may hear of is said in words', () => {
  const wanted = webhookEvents.flatMap((life) => [
    `webhook.life.${life.name}`,
    ...Object.keys(life.events).map((event) => `webhook.event.${life.name}.${event}`),
  ]);
  expect(wanted.filter((key) => !Object.hasOwn(webhookEventTexts, key))).toEqual([]);
});
