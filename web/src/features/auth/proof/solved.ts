/** The proof of the work that a challenge asks for, done beside the page; where no worker runs, in the page, which stays usable. */
export async function solved(challenge: string): Promise<string> {
  return (await inWorker(challenge)) ?? (await import('./solve.ts')).solve(challenge);
}

function inWorker(challenge: string): Promise<string | undefined> {
  return new Promise((done) => {
    let worker: Worker | undefined;
    const end = (proof?: string) => {
      worker?.terminate();
      done(proof);
    };
    try {
      worker = new Worker(new URL('./solve.worker.ts', import.meta.url), { type: 'module' });
    } catch {
      return end();
    }
    worker.onmessage = ({ data }: MessageEvent<{ proof?: string }>) => end(data.proof);
    worker.onerror = () => end();
    worker.postMessage(challenge);
  });
}
