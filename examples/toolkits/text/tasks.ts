/** The tasks of the time box: everything that reads documents of others, since each of the libraries has documents that it takes minutes for. */
import { answerTasks } from '../shared/time-box.ts';
import { htmlToMarkdown, jsonToYaml, markdownToHtml, yamlToJson } from './documents.ts';
import { csvToJson, jsonToCsv } from './tables.ts';
import { changeCase, encodeText, extract, textStatistics } from './words.ts';

const tasks = {
  csvToJson,
  jsonToCsv,
  yamlToJson,
  jsonToYaml,
  markdownToHtml,
  htmlToMarkdown,
  textStatistics,
  extract,
  changeCase,
  encodeText,
};

export type TextTasks = typeof tasks;

answerTasks(tasks);
