import fc from 'fast-check';
import { parser } from 'mqtt-packet';
import { expect, test } from 'vitest';
import { publishFrame } from './publish-frame.ts';

const read = (frame: Buffer) => {
  const seen: { topic: string; payload: Buffer; qos: number }[] = [];
  const one = parser();
  one.on('packet', (packet) => seen.push(packet as never));
  return { left: one.parse(frame), seen };
};

test('any topic and text is read as it was written, also where the length takes another byte', () => {
  const around = (length: number) => fc.integer({ min: length - 40, max: length + 40 }).map((n) => 'x'.repeat(n));
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
      fc.oneof(fc.string({ unit: 'grapheme' }), around(128), around(16_384), around(65_536)),
      (topic, text) => {
        fc.pre(!/[+#\0]/.test(topic));
        const { left, seen } = read(publishFrame(topic, text));
        expect([left, seen.map((one) => [one.topic, one.payload.toString(), one.qos])]).toEqual([0, [[topic, text, 0]]]);
      },
    ),
  );
});
