import { useEffect, useState } from 'react';
import { RowButton } from './row-parts.tsx';
import { useT } from './words.ts';

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Browsers give no clipboard to plain http beyond loopback; the old way still works there.
    const area = document.createElement('textarea');
    area.value = text;
    area.style.position = 'fixed';
    area.style.opacity = '0';
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

function CopyButton({ text }: { text: string }) {
  const t = useT();
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 1500);
    return () => clearTimeout(timer);
  }, [done]);
  return (
    <span className="m-copy-act">
      <RowButton
        icon={done ? 'check' : 'copy'}
        label={done ? t('kit.copied') : t('kit.copy')}
        onClick={(event) => {
          event.stopPropagation();
          void copy(text).then(setDone);
        }}
      />
    </span>
  );
}

/** SNs, hashes, ids: mono, with a copy button. `short` keeps the first and last characters of a long one. */
export function CopyText({ text, short }: { text: string; short?: number }) {
  const shown = short && text.length > short * 2 + 1 ? `${text.slice(0, short)}…${text.slice(-short)}` : text;
  return (
    <span className="m-copy">
      <span className="m-mono m-clip" title={text} dir="ltr">
        {shown}
      </span>
      <CopyButton text={text} />
    </span>
  );
}

/** A command to run, with its copy button. */
export function Command({ text }: { text: string }) {
  return (
    <div className="m-command" dir="ltr">
      <code className="m-mono">{text}</code>
      <CopyButton text={text} />
    </div>
  );
}
