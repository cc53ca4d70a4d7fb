import { solve } from './solve.ts';

self.onmessage = ({ data }: MessageEvent<string>) => {
  solve(data).then(
    (proof) => self.postMessage({ proof }),
    () => self.postMessage({}),
  );
};
