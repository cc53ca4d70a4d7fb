import { helpCalls, openHelpCalls } from '@mooring/contract/help/calls';
import type { AppContext } from '../../platform/app-context.ts';
import { handlers, type Module } from '../../platform/module.ts';
import { followTexts } from '../language/api.ts';
import { articles } from './article.resource.ts';
import { bringManual } from './bring-manual.ts';
import { categories } from './category.resource.ts';
import { feedbackExporter } from './feedback.ts';
import { helpContext, helpTree, listOpen, openHelpFile, openOpenFile, readHelp, readOpen, searchHelp } from './read-help.ts';
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
  fileOwners: [{ table: 'help_file', column: 'file_id', can: 'help:article:page' }],
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
