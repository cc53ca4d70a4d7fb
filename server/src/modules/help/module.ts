import { helpCalls, openHelpCalls } from '@mooring/contract/help/calls';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import { handlers, type Module } from '../../platform/module.ts';
import { followTexts } from '../language/api.ts';
import { articles } from './article.resource.ts';
import { bringManual } from './bring-manual.ts';
import { categories } from './category.resource.ts';
import { feedbackExporter } from './feedback.ts';
import { helpContext, helpTree, listOpen, openHelpFile, openOpenFile, readHelp, readOpen, searchHelp } from './read-help.ts';
import { said } from './said.ts';
import { versionExporter } from './versions.ts';
import { voteHelp } from './vote.ts';

export const makeHelp = (app: AppContext): Module => ({
  name: 'help',
  resources: [articles, categories],
  seed: async (db) => {
    // Searched by the words that this installation has for things.
    await followTexts(db);
    await bringManual(db);
  },
  exporters: [versionExporter, feedbackExporter],
  fileOwners: [
    {
      table: 'help_file',
      column: 'file_id',
      can: 'help:article:page',
      use: {
        what: 'help',
        name: sql`(select a.title from help_article a where a.id = help_file.article_id)`,
        at: { path: '/helpCenterConsole/', id: sql`help_file.article_id` },
        said,
      },
    },
  ],
  routes: [
    ...handlers(helpCalls, {
      context: helpContext,
      tree: helpTree,
      search: searchHelp,
      read: readHelp,
      vote: voteHelp,
      file: openHelpFile(app),
    }),
    ...handlers(openHelpCalls, { list: listOpen, read: readOpen, file: openOpenFile(app) }),
  ],
});
