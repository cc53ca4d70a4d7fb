import { expect, test } from 'vitest';
import { CONNACK, eachFrame, type Frame, PUBLISH, publishFrame } from './frames.ts';

test('frames are found wherever the bytes are cut', () => {
  const long = 'x'.repeat(300);
  const wire = Buffer.concat([
    Buffer.from([CONNACK << 4, 2, 0, 0]),
    publishFrame('d/T1/down/ack', long, 1, 259),
    publishFrame('a/b', 'c', 0, 0),
  ]);
  for (let cut = 0; cut <= wire.length; cut += 1) {
    const seen: Frame[] = [];
    const left = eachFrame(wire.subarray(0, cut), (frame) => seen.push(frame));
    expect(eachFrame(Buffer.concat([left ?? Buffer.alloc(0), wire.subarray(cut)]), (frame) => seen.push(frame))).toBeUndefined();
    expect(seen.map((one) => [one.type, one.topic, one.payload.toString()])).toEqual([
      [CONNACK, '', ''],
      [PUBLISH, 'd/T1/down/ack', long],
      [PUBLISH, 'a/b', 'c'],
    ]);
    expect(seen[1]?.puback).toEqual(Buffer.from([0x40, 2, 1, 3]));
  }
});
