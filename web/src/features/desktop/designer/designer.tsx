import type { Layout } from '@mooring/contract/desktop/layout';
import { contentLimits } from '@mooring/contract/desktop/limits';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ControlPart } from '../../../kit/form/types.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Unlinked } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useLooseT, useT } from '../../../ui/words.ts';
import { AddTiles } from './add-tiles.tsx';
import { Board } from './board.tsx';
import { addPage, addTile, type Draft, removePage } from './edits.ts';
import { exportLayout, importLayout } from './layout-file.ts';
import { ShownPage } from './screen.tsx';
import { ScreenPanel } from './screen-panel.tsx';
import { TilePanel } from './tile-panel.tsx';
import { Unfinished } from './unfinished.tsx';
import { useHistory } from './use-history.ts';

/** A home screen is arranged: pages of tiles, by mouse or keyboard, with every step taken back again. */
export function Designer({ value, onChange, disabled }: ControlPart<Layout>) {
  const t = useT();
  const loose = useLooseT();
  const [open, setOpen] = useState(0);
  const [chosen, choose] = useState<string>();
  const [isShown, show] = useState(false);
  const [sought, seek] = useState<{ readonly id: string }>();
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (sought) panel.current?.querySelector('input')?.focus();
  }, [sought]);
  const file = useRef<HTMLInputElement>(null);
  const { put, undo, redo } = useHistory(value, onChange);
  const page = Math.min(open, value.pages.length - 1);
  const tile = value.pages[page]?.tiles.find((one) => one.id === chosen);
  const turn = (to: number) => {
    setOpen(to);
    choose(undefined);
  };
  const add = (draft: Draft, size: { w: number; h: number }) => {
    const added = addTile(value, page, draft, { w: Math.min(size.w, value.columns), h: Math.min(size.h, value.rows) });
    if (!added) return toast('warning', t('desktop.full'));
    put(added.layout);
    choose(added.id);
  };
  const take = async (given: File) => {
    const read = await importLayout(given);
    if ('problem' in read) return toast('error', loose(read.problem, read.problem));
    put(read.layout);
    turn(0);
    if (read.leftOut > 0) toast('warning', t('desktop.import.leftOut', { count: read.leftOut }));
  };
  const onKeys = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.target instanceof HTMLInputElement) return;
    const step =
      event.key === 'z' && !event.shiftKey
        ? undo
        : event.key === 'y' || (event.key.toLowerCase() === 'z' && event.shiftKey)
          ? redo
          : undefined;
    if (!step) return;
    event.preventDefault();
    step();
  };
  return (
    <Unlinked>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the shortcuts of the buttons inside */}
      <div className="m-designer" onKeyDown={onKeys}>
        <div className="m-stack">
          <div className="m-row m-row-wrap">
            <IconButton icon="back" label={t('desktop.undo')} disabled={disabled || !undo} onClick={() => undo?.()} />
            <IconButton icon="forward" label={t('desktop.redo')} disabled={disabled || !redo} onClick={() => redo?.()} />
            <Button small icon="device" onClick={() => show(true)}>
              {t('desktop.preview')}
            </Button>
            <Button small icon="export" onClick={() => exportLayout(value)}>
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
          <AddTiles onAdd={add} disabled={disabled} />
          <div>
            <Board layout={value} page={page} chosen={chosen} onChoose={choose} onPut={put} disabled={disabled} />
            <nav className="m-designer-pages" aria-label={t('desktop.pages')}>
              {value.pages.map((_, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a page is its place
                <Button key={at} small look={at === page ? 'primary' : 'default'} onClick={() => turn(at)}>
                  {t('desktop.page', { number: at + 1 })}
                </Button>
              ))}
              <IconButton
                small
                icon="add"
                label={t('desktop.page.add')}
                disabled={disabled || value.pages.length >= contentLimits.pages}
                onClick={() => {
                  put(addPage(value));
                  turn(value.pages.length);
                }}
              />
              <IconButton
                small
                icon="delete"
                label={t('desktop.page.remove')}
                disabled={disabled || value.pages.length === 1}
                onClick={() => {
                  put(removePage(value, page));
                  turn(Math.max(0, page - 1));
                }}
              />
            </nav>
            <Unfinished
              layout={value}
              chosen={chosen}
              onGo={(to, id) => {
                setOpen(to);
                choose(id);
                seek({ id });
              }}
            />
          </div>
        </div>
        <div className="m-stack" ref={panel}>
          {tile ? <TilePanel layout={value} page={page} tile={tile} onPut={put} onGone={() => choose(undefined)} /> : null}
          <ScreenPanel layout={value} onPut={put} disabled={disabled} />
        </div>
      </div>
      {isShown ? (
        <Dialog open title={t('desktop.preview.of', { number: page + 1 })} onClose={() => show(false)}>
          <ShownPage layout={value} page={page} />
        </Dialog>
      ) : null}
    </Unlinked>
  );
}
