import { helpMachine } from '@mooring/contract/help/state-machines';
import { statefulTable } from '../../platform/db/move.ts';

export const articleRows = statefulTable('help_article', helpMachine);
