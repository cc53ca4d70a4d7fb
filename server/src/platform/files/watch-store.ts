import type { AppContext } from '../app-context.ts';
import { storeProbe } from './open-store.ts';

const AGAIN_MS = 15_000;

/** Tries the object store at the start and from then on: who has set it up wrongly reads it at once, and not at the first upload. */
export function watchStore(app: AppContext, onAnswer: () => void = () => {}): () => Promise<void> {
  const probe = storeProbe(app.config);
  if (!probe) return async () => {};
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let said = '';
  const once = async (): Promise<void> => {
    try {
      await probe();
      if (said) app.log.info({ endpoint: app.config.S3_ENDPOINT }, 'S3_ENDPOINT answers');
      said = '';
      onAnswer();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (said !== text) app.log.error({ error: text, bucket: app.config.S3_BUCKET }, "S3_ENDPOINT can't be used");
      said = text;
    }
    if (!isStopped) timer = setTimeout(() => void once(), AGAIN_MS).unref();
  };
  const first = once();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await first;
  };
}
