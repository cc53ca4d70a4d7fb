import { Transform } from 'node:stream';

/** Lets through so many bytes a second; 0 sets no limit. */
export function throttle(bytesPerSecond: number): Transform | undefined {
  if (bytesPerSecond <= 0) return undefined;
  const began = performance.now();
  let sent = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sent += chunk.length;
      const wait = (sent / bytesPerSecond) * 1000 - (performance.now() - began);
      if (wait > 5) setTimeout(() => done(null, chunk), wait);
      else done(null, chunk);
    },
  });
}
