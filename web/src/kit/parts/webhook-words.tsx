import { eventWords, problemWords } from '@mooring/contract/settings/webhook-words';
import { Tag } from '../../ui/status-tag.tsx';
import { useLooseT } from '../../ui/words.ts';

export function useEventWords(): (event: string) => string {
  const loose = useLooseT();
  return (event) => eventWords(event, loose);
}

export function useProblemWords(): (error: string) => string {
  const loose = useLooseT();
  return (error) => problemWords(error, loose);
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
