import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import { setEdited } from '../../platform/texts/texts.ts';

const POLL_MS = 3000;
let seen = -1;

/** Reads the edited texts again if any has changed since. One small query where nothing did. */
export async function followTexts(db: Db): Promise<void> {
  const { rows } = await sql<{ revision: number }>`select coalesce(sum(revision), 0)::int as revision from language_language`.execute(db);
  const revision = rows[0]?.revision ?? 0;
  if (revision === seen) return;
  const texts = await db.selectFrom('language_text').select(['lang_code', 'key', 'text']).execute();
  const byLanguage = new Map<string, Map<string, string>>();
  for (const row of texts) {
    const of = byLanguage.get(row.lang_code) ?? new Map<string, string>();
    byLanguage.set(row.lang_code, of.set(row.key, row.text));
  }
  setEdited(byLanguage);
  seen = revision;
}

/** Keeps a process's texts fresh for what it says by itself: mails, messages, sheets. */
export async function startFollowing(app: AppContext): Promise<() => Promise<void>> {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running: Promise<unknown> = Promise.resolve();
  const tick = () => {
    running = app
      .unscoped(followTexts)
      .catch((error: unknown) => app.log.warn({ error: String(error) }, 'texts not read again'))
      .then(() => {
        if (!stopped) timer = setTimeout(tick, POLL_MS);
      });
    return running;
  };
  await tick();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}
