import type { AdvertItem } from '@mooring/contract/desktop/advert';
import { contentLimits, PICTURE, VIDEO } from '@mooring/contract/desktop/limits';
import { sharesOf } from '@mooring/contract/desktop/playlist';
import { extensionOf, kindOf } from '@mooring/contract/file/kinds';
import { useRef, useState } from 'react';
import type { ControlPart } from '../../kit/form/types.ts';
import { StoredPicture } from '../../kit/stored-picture.tsx';
import { useUploads } from '../../kit/upload/use-uploads.ts';
import { IconButton } from '../../ui/button.tsx';
import { NumberInput } from '../../ui/controls.tsx';
import { Unlinked } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { UploadBox } from '../../ui/upload-box.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import './desktop.css';

type Item = Pick<AdvertItem, 'fileId'> & Partial<AdvertItem>;
const endings = [PICTURE, VIDEO].flatMap((kind) => kindOf(kind)?.extensions ?? []);
const isVideo = (file: File) => kindOf(VIDEO)?.extensions.includes(extensionOf(file.name)) ?? false;

/** Uploads of both kinds, as one. Each stored file is told once. */
function useItems(onStored: (item: Item) => void) {
  const told = useRef(new Set<number>());
  const tell = (media: AdvertItem['media']) => (stored: readonly { id: number; fileName: string }[]) => {
    for (const { id, fileName } of stored) {
      if (told.current.has(id)) continue;
      told.current.add(id);
      onStored({ fileId: id, name: fileName, media, seconds: 10 });
    }
  };
  const pictures = useUploads(PICTURE, tell('picture'));
  const videos = useUploads(VIDEO, tell('video'));
  const of = (id: string) => (pictures.rows.some((row) => row.id === id) ? pictures : videos);
  return {
    rows: [...pictures.rows, ...videos.rows].filter((row) => row.state !== 'success'),
    add(files: readonly File[]) {
      pictures.add(files.filter((file) => !isVideo(file)));
      videos.add(files.filter(isVideo));
    },
    cancel: (id: string) => of(id).cancel(id),
    retry: (id: string) => of(id).retry(id),
  };
}

/** A weight of 1 is left out, as the stored item has it: a server from before, which may still answer, takes no weight. */
const weighed = (next: number | string | undefined) => (next === 1 ? undefined : (next as number));

/** Pictures and videos in their order, each with how long and how often it is shown. */
export function PlaylistControl({ value = [], onChange, disabled }: ControlPart<readonly Item[] | undefined>) {
  const t = useT();
  const format = useFormat();
  const shares = sharesOf(value);
  const latest = useRef(value);
  latest.current = value;
  const put = (items: readonly Item[]) => {
    latest.current = items;
    onChange(items);
  };
  const uploads = useItems((item) => put([...latest.current, item]));
  const [emptied, setEmptied] = useState<number>();
  const change = (at: number, part: Partial<Item>) => put(value.map((one, index) => (index === at ? { ...one, ...part } : one)));
  const move = (at: number, by: number) => {
    const next = value.toSpliced(at, 1);
    const moved = value[at];
    if (moved) put(next.toSpliced(at + by, 0, moved));
  };
  return (
    <Unlinked>
      <div className="m-stack">
        <ol className="m-playlist">
          {value.map(({ fileId, media, name = '', seconds, weight = 1 }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same file may stand in it twice
            <li key={`${fileId}:${at}`} className="m-playlist-item">
              {media === 'video' ? <Icon name="play" className="m-picture m-playlist-video" /> : <StoredPicture id={fileId} />}
              <span className="m-grow m-cut">{name}</span>
              {value.length > 1 ? (
                <span className="m-muted m-playlist-share">{t('advert.item.share', { percent: format.percent(shares[at] ?? 0) })}</span>
              ) : null}
              <span className="m-playlist-figure">
                <NumberInput
                  value={seconds}
                  unit="s"
                  label={`${t('advert.item.seconds')} ${name}`}
                  onChange={(next) => change(at, { seconds: next as number })}
                  disabled={disabled}
                />
              </span>
              <span className="m-playlist-figure">
                <span className="m-muted" aria-hidden>
                  {t('advert.item.weight')}
                </span>
                <NumberInput
                  value={emptied === at ? undefined : weight}
                  label={`${t('advert.item.weight')} ${name}`}
                  onChange={(next) => {
                    // Emptied to be typed anew: it weighs 1 until then, and says so once something else is touched.
                    setEmptied(typeof next === 'number' ? undefined : at);
                    change(at, { weight: weighed(next) });
                  }}
                  disabled={disabled}
                />
              </span>
              <IconButton icon="up" label={t('advert.item.up', { name })} disabled={disabled || at === 0} onClick={() => move(at, -1)} />
              <IconButton
                icon="down"
                label={t('advert.item.down', { name })}
                disabled={disabled || at === value.length - 1}
                onClick={() => move(at, 1)}
              />
              <IconButton
                icon="delete"
                danger
                label={t('advert.item.remove', { name })}
                disabled={disabled}
                onClick={() => put(value.toSpliced(at, 1))}
              />
            </li>
          ))}
        </ol>
        <UploadBox
          multiple
          rows={uploads.rows}
          accept={endings.map((one) => `.${one}`).join(',')}
          hint={t('advert.item.hint')}
          disabled={disabled || value.length >= contentLimits.items}
          room={contentLimits.items - value.length}
          onFiles={uploads.add}
          onCancel={uploads.cancel}
          onRetry={uploads.retry}
        />
      </div>
    </Unlinked>
  );
}
