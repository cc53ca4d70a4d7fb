export { dropOwnLevels, handOverLevels } from './own-levels.ts';
