import { type ReactNode, useId } from 'react';
import { CallFailed } from '../../../kit/dead-end.tsx';
import type { Asked as Answer } from '../../../kit/queries.ts';
import { Bone, Loading } from '../../../ui/states.tsx';

interface CardProps {
  readonly title: string;
  /** Beside the title. */
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

export function Card({ title, note, children }: CardProps) {
  const id = useId();
  return (
    <section className="m-panel m-home-card" aria-labelledby={id}>
      <div className="m-panel-head">
        <h2 id={id} className="m-grow">
          {title}
        </h2>
        {note}
      </div>
      {children}
    </section>
  );
}

/** What a card shows of an answer: bones in its final height, the failure with another try, or the answer. */
export function Answered<T>({ of, height, children }: { of: Answer<T>; height: number; children: (data: T) => ReactNode }) {
  if (of.data !== undefined) return children(of.data);
  if (of.error) return <CallFailed part error={of.error} onRetry={of.retry} />;
  return (
    <Loading>
      <div className="m-panel-body">
        <Bone height={height} />
      </div>
    </Loading>
  );
}
