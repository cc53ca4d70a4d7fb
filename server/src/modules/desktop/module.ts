import { shownCalls } from '@mooring/contract/desktop/shown-calls';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { handlers, type Module } from '../../platform/module.ts';
import { keepsArchive, makeContents } from './contents.ts';
import { shownOn } from './shown.ts';

const details = { advert: '/pos/advert/detail/', customization: '/pos/customization/detail/', desktop: '/diyDesktop/detail/' } as const;

/** What terminals show: adverts, the look of their system, their home screen. */
export function makeDesktop(app: AppContext): Module {
  const parts = ['advert', 'customization', 'desktop'] as const;
  return {
    name: 'desktop',
    resources: makeContents(openStore(app.config, app.counts)),
    routes: handlers(shownCalls, { shown: shownOn }),
    fileOwners: parts.map((part) => ({
      table: 'desktop_file',
      column: 'file_id',
      where: ['part', part],
      can: `desktop:${part}:page`,
      use: {
        what: part,
        name: sql`(select p.name from ${sql.table(`desktop_${part}`)} p where p.id = ${sql.ref(`desktop_file.${part}_id`)})`,
        at: { path: details[part], id: sql.ref(`desktop_file.${part}_id`) },
      },
    })),
    keepsBlob: keepsArchive,
  };
}
