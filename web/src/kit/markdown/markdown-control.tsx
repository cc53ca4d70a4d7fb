import { type ReactNode, useId, useRef, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextArea } from '../../ui/controls.tsx';
import { useFieldLink } from '../../ui/field.tsx';
import { useT } from '../../ui/words.ts';
import type { ControlPart } from '../form/types.ts';
import { Markdown } from './markdown.tsx';

const marks = [
  { key: 'bold', icon: 'bold', around: '**' },
  { key: 'italic', icon: 'italic', around: '*' },
  { key: 'heading', icon: 'heading', before: '## ' },
  { key: 'list', icon: 'tasks', before: '- ' },
  { key: 'link', icon: 'link', link: true },
] as const;
type Mark = (typeof marks)[number];

interface Chosen {
  readonly from: number;
  readonly to: number;
}
/** The text with a mark at what is chosen, and what is chosen then. */
function withMark(text: string, { from, to }: Chosen, mark: Mark): { text: string } & Chosen {
  const [head, middle, tail] = [text.slice(0, from), text.slice(from, to), text.slice(to)];
  if ('around' in mark) {
    const put = `${mark.around}${middle}${mark.around}`;
    return { text: head + put + tail, from: from + mark.around.length, to: to + mark.around.length };
  }
  if ('link' in mark) {
    const put = `[${middle}](https://)`;
    return { text: head + put + tail, from: from + middle.length + 3, to: from + put.length - 1 };
  }
  const start = head.lastIndexOf('\n') + 1;
  const lines = text.slice(start, to).split('\n');
  const put = lines.map((line) => `${mark.before}${line}`).join('\n');
  return { text: text.slice(0, start) + put + tail, from: from + mark.before.length, to: start + put.length };
}

/** A text in Markdown: marks by buttons, and how it will look. */
export function MarkdownControl({
  value,
  onChange,
  onBlur,
  disabled,
  picture,
  words,
  beside = false,
  acts,
}: ControlPart<string | undefined> &
  Pick<Parameters<typeof Markdown>[0], 'picture' | 'words'> & {
    /** How it will look stands beside it all the time. */
    beside?: boolean;
    /** Further marks, which put their text where the cursor stands. */
    acts?: (insert: (text: string) => void) => ReactNode;
  }) {
  const t = useT();
  const own = useId();
  const { id } = useFieldLink();
  const [shown, setShown] = useState<'write' | 'look'>('write');
  const text = value ?? '';
  const latest = useRef(text);
  latest.current = text;
  const area = () => document.querySelector<HTMLTextAreaElement>(`[data-markdown="${CSS.escape(own)}"] textarea`);
  const put = (mark: Mark) => {
    const at = area();
    if (!at) return;
    const next = withMark(text, { from: at.selectionStart, to: at.selectionEnd }, mark);
    onChange(next.text);
    requestAnimationFrame(() => {
      at.focus();
      at.setSelectionRange(next.from, next.to);
    });
  };
  const insert = (more: string) => {
    const at = area()?.selectionEnd ?? latest.current.length;
    onChange(`${latest.current.slice(0, at)}${more}${latest.current.slice(at)}`);
  };
  const writing = <TextArea value={text} onChange={onChange} onBlur={onBlur} disabled={disabled} rows={beside ? 20 : 12} />;
  const looking = (
    <div className="m-markdown-look" {...(beside ? { role: 'region', 'aria-label': t('kit.markdown.look'), tabIndex: 0 } : { id })}>
      {text.trim() === '' ? (
        <span className="m-muted">{t('kit.markdown.nothing')}</span>
      ) : (
        <>
          {beside ? <h2 className="m-hidden">{t('kit.markdown.look')}</h2> : null}
          <Markdown text={text} picture={picture} words={words} />
        </>
      )}
    </div>
  );
  return (
    <div className="m-stack-tight" data-markdown={own}>
      <div className="m-row m-row-wrap">
        {shown === 'write'
          ? marks.map((mark) => (
              <IconButton
                key={mark.key}
                icon={mark.icon}
                label={t(`kit.markdown.${mark.key}`)}
                disabled={disabled}
                onClick={() => put(mark)}
              />
            ))
          : null}
        {shown === 'write' ? acts?.(insert) : null}
        <span className="m-grow" />
        {beside ? null : (
          <Button small icon={shown === 'write' ? 'view' : 'edit'} onClick={() => setShown(shown === 'write' ? 'look' : 'write')}>
            {t(shown === 'write' ? 'kit.markdown.look' : 'kit.markdown.write')}
          </Button>
        )}
      </div>
      {beside ? (
        <div className="m-markdown-beside">
          {writing}
          {looking}
        </div>
      ) : shown === 'write' ? (
        writing
      ) : (
        looking
      )}
    </div>
  );
}
