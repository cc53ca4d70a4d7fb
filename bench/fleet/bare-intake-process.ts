import { beatWriter } from './beat-writer.ts';
import { obeying } from './child.ts';
import { mqttHub } from './hub.ts';

/** Takes beats and does nothing else: hears them at a broker, and writes as many rows evenly by the batch statement, without a word of what it heard. */
export type IntakeOrder = {
  readonly do: 'take';
  readonly port: number;
  readonly url: string;
  readonly rate: number;
  readonly batch: number;
  readonly seconds: number;
};

/** Answers how many messages it heard. */
async function take({ port, url, rate, batch, seconds }: IntakeOrder): Promise<number> {
  const hub = await mqttHub(port, 'beat');
  const writer = await beatWriter(url, batch);
  try {
    const began = performance.now();
    for (let n = 0; n < (rate * seconds) / batch; n += 1) {
      const early = began + (n * batch * 1000) / rate - performance.now();
      if (early > 0) await new Promise((done) => setTimeout(done, early));
      await writer.write();
    }
    return hub.heard();
  } finally {
    hub.stop();
    await writer.end();
  }
}

obeying<IntakeOrder>(take);
