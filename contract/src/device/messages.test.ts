import { expect, test } from 'vitest';
import { thingCommandParams, thingCommands } from './commands.ts';
import { downMessages, Envelope, upMessages } from './messages.ts';
import recorded from './recorded/v1.json' with { type: 'json' };
import { downKinds, upKinds } from './topics.ts';

// What a released version said must be understood by every later one: these records are added to, never changed.
test.each(upKinds)('a recorded %s of version 1 is read', (kind) => {
  const envelope = Envelope.parse(recorded.up[kind]);
  expect(upMessages[kind].safeParse(envelope.data).error).toBeUndefined();
});

test.each(downKinds)('a recorded %s of version 1 is read by a terminal', (kind) => {
  const envelope = Envelope.parse(recorded.down[kind]);
  expect(downMessages[kind].safeParse(envelope.data).error).toBeUndefined();
});

test.each(thingCommands)('a recorded %s of version 1 is read by a terminal', (kind) => {
  const envelope = Envelope.parse(recorded.thingCommands[kind]);
  const { command, params } = downMessages.command.parse(envelope.data);
  expect(command).toBe(kind);
  expect(thingCommandParams[kind].parse(params)).toEqual(params);
});

test('fields that a side does not know are ignored', () => {
  expect(upMessages.beat.parse({ battery: 5, fromTheFuture: 1 })).toEqual({ battery: 5 });
});

test.each([
  [{ id: 'x', at: '2026-11-21T11:00:00Z', data: {} }],
  [{ v: 1, id: 'no spaces here', at: '2026-11-21T11:00:00Z', data: {} }],
  [{ v: 1, id: 'x'.repeat(65), at: '2026-11-21T11:00:00Z', data: {} }],
  [{ v: 1, id: 'x', at: 'yesterday', data: {} }],
  [{ v: 1, id: 'x', at: '2026-11-21T11:00:00Z', data: [] }],
])('an envelope that is none: %j', (wrong) => {
  expect(Envelope.safeParse(wrong).success).toBe(false);
});

test.each([
  [{ lat: 91, lon: 0 }],
  [{ lat: 0, lon: -180.1 }],
  [{ lat: Number.NaN, lon: 0 }],
  [{ lat: 0, lon: Number.POSITIVE_INFINITY }],
  [{ lat: 0 }],
  [{ lat: '52.5', lon: 13.4 }],
  [{ lat: 0, lon: 0, accuracy: -1 }],
  [{ lat: 0, lon: 0, accuracy: 1e9 }],
  [{ lat: 0, lon: 0, source: 'guess' }],
])('a position that is none is refused: %j', (position) => {
  expect(upMessages.beat.safeParse({ position }).success).toBe(false);
});
