/** A text by its key in the reader's language; where there is none, what it falls back to. */
type Say = (key: string, otherwise: string) => string;

/** `task.pause` as "Release · paused". */
export function eventWords(event: string, say: Say): string {
  if (event === '*') return say('webhook.all', event);
  const [life = '', what = ''] = event.split('.');
  const key = what === '*' ? 'webhook.any' : what === 'created' ? 'webhook.created' : `webhook.event.${life}.${what}`;
  return `${say(`webhook.life.${life}`, life)} · ${say(key, what)}`;
}

/** Why nothing came through: named where it is known, else as the other end said it. */
export const problemWords = (error: string, say: Say): string => say(`settings.webhook.failed.${error}`, say(`fault.${error}`, error));
