import { useId, useState } from 'react';
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
}: ControlPart<string | undefined> & Pick<Parameters<typeof Markdown>[0], 'picture'>) {
  const t = useT();
  const own = useId();
  const { id } = useFieldLink();
  const [shown, setShown] = useState<'write' | 'look'>('write');
  const text = value ?? '';
  const put = (mark: Mark) => {
    const area = document.querySelector<HTMLTextAreaElement>(`[data-markdown="${CSS.escape(own)}"] textarea`);
    if (!area) return;
    const next = withMark(text, { from: area.selectionStart, to: area.selectionEnd }, mark);
    onChange(next.text);
    requestAnimationFrame(() => {
      area.focus();
      area.setSelectionRange(next.from, next.to);
    });
  };
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
        <span className="m-grow" />
        <Button small icon={shown === 'write' ? 'view' : 'edit'} onClick={() => setShown(shown === 'write' ? 'look' : 'write')}>
          {t(shown === 'write' ? 'kit.markdown.look' : 'kit.markdown.write')}
        </Button>
      </div>
      {shown === 'write' ? (
        <TextArea value={text} onChange={onChange} onBlur={onBlur} disabled={disabled} rows={12} />
      ) : (
        <div className="m-markdown-look" id={id}>
          {text.trim() === '' ? <span className="m-muted">{t('kit.markdown.nothing')}</span> : <Markdown text={text} picture={picture} />}
        </div>
      )}
    </div>
  );
}
