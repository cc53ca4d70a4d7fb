import { homeCalls } from '@mooring/contract/stats/calls';
import { handlers, type Module } from '../../platform/module.ts';
import { overview } from './overview.ts';

export const stats: Module = { name: 'stats', routes: handlers(homeCalls, { overview }) };
