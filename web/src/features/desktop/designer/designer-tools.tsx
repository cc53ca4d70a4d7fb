import type { Layout } from '@mooring/contract/desktop/layout';
import { useRef } from 'react';
import { Button, IconButton } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useLooseT, useT } from '../../../ui/words.ts';
import { exportLayout, importLayout } from './layout-file.ts';
import type { useHistory } from './use-history.ts';

interface ToolsProps {
  layout: Layout;
  history: ReturnType<typeof useHistory>;
  onShow: () => void;
  onImported: (layout: Layout) => void;
  disabled: boolean;
}

/** What is done to the whole of it: steps back and forth, the preview, files. */
export function DesignerTools({ layout, history: { undo, redo }, onShow, onImported, disabled }: ToolsProps) {
  const t = useT();
  const loose = useLooseT();
  const file = useRef<HTMLInputElement>(null);
  const take = async (given: File) => {
    const read = await importLayout(given);
    if ('problem' in read) return toast('error', loose(read.problem, read.problem));
    onImported(read.layout);
    if (read.leftOut > 0) toast('warning', t('desktop.import.leftOut', { count: read.leftOut }));
  };
  return (
    <div className="m-row m-row-wrap">
      <IconButton icon="back" label={t('desktop.undo')} disabled={disabled || !undo} onClick={() => undo?.()} />
      <IconButton icon="forward" label={t('desktop.redo')} disabled={disabled || !redo} onClick={() => redo?.()} />
      <Button small icon="device" onClick={onShow}>
        {t('desktop.preview')}
      </Button>
      <Button small icon="export" onClick={() => exportLayout(layout)}>
        {t('desktop.export')}
      </Button>
      <Button small icon="upload" disabled={disabled} onClick={() => file.current?.click()}>
        {t('desktop.import')}
      </Button>
      <input
        ref={file}
        type="file"
        hidden
        accept=".json"
        onChange={(event) => {
          const [given] = event.target.files ?? [];
          event.target.value = '';
          if (given) void take(given);
        }}
      />
    </div>
  );
}
