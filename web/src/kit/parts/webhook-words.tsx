import { Tag } from '../../ui/status-tag.tsx';
import { useLooseT, useT } from '../../ui/words.ts';

/** `task.pause` as "Release · paused". */
export function useEventWords(): (event: string) => string {
  const t = useT();
  const loose = useLooseT();
  return (event) => {
    if (event === '*') return t('webhook.all');
    const [life = '', what = ''] = event.split('.');
    const said = what === '*' ? t('webhook.any') : what === 'created' ? t('webhook.created') : loose(`webhook.event.${life}.${what}`, what);
    return `${loose(`webhook.life.${life}`, life)} · ${said}`;
  };
}

/** Why nothing came through: named where it is known, else as the other end said it. */
export function useProblemWords(): (error: string) => string {
  const loose = useLooseT();
  return (error) => loose(`settings.webhook.failed.${error}`, loose(`fault.${error}`, error));
}

export function EventTags({ events }: { events: readonly string[] }) {
  const words = useEventWords();
  return (
    <span className="m-row m-tags">
      {events.map((one) => (
        <Tag key={one}>{words(one)}</Tag>
      ))}
    </span>
  );
}

export function EventName({ event }: { event: string }) {
  return <>{useEventWords()(event)}</>;
}
