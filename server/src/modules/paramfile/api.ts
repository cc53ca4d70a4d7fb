export { checkAlong, noneAlong, resultOn, templateAlong, templatesAlong } from './along.ts';
export { dropOwnLevels, handOverLevels } from './own-levels.ts';
export { missingAt, OWN_RESULT, ownResults } from './own-results.ts';
