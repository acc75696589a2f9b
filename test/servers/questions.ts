import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ReadCall, Tool } from './call-apis.ts';

// Questions in words that a model of 135M parameters can take up, and the tools that they need.

const text = (description: string) => ({ type: 'string', description, maxLength: 40 });
const toolOf = (name: string, description: string, properties: Record<string, object>): Tool => ({
  name,
  description,
  schema: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
});

export const tools: readonly Tool[] = [
  toolOf('weather_in_city', 'Tells the weather in a city.', { city: text('The city') }),
  toolOf('play_song', 'Plays a song.', { title: text('The title of the song') }),
  toolOf('translate_word', 'Translates a word to another language.', {
    word: text('The word'),
    language: { enum: ['french', 'german', 'spanish'] },
  }),
  toolOf('set_timer', 'Sets a timer.', { minutes: { type: 'integer', minimum: 1, maximum: 600 } }),
  toolOf('book_table', 'Books a table in a restaurant.', {
    people: { type: 'integer', minimum: 1 },
    restaurant: text('The restaurant'),
  }),
  toolOf('open_file', 'Opens a file.', { path: text('The path of the file') }),
  toolOf('send_mail', 'Sends a mail to a person.', { to: text('The person'), body: text('What it says') }),
];

/** A form of an answer. */
export const word = {
  type: 'object',
  properties: { word: { type: 'string', maxLength: 20 } },
  required: ['word'],
  additionalProperties: false,
};

/** What needs a tool. */
export interface Question {
  readonly text: string;
  readonly tool: string;
  /** What its arguments have to hold, in small letters. */
  readonly holds: string;
}

const asked = (tool: string, ask: (what: string) => string, ...whats: readonly string[]): readonly Question[] =>
  whats.map((what) => ({ text: ask(what), tool, holds: what.toLowerCase() }));

export const questions: readonly Question[] = [
  ...asked(
    'weather_in_city',
    (city) => `Tell me the weather in the city ${city}.`,
    ...['Oslo', 'Tokyo', 'Lima', 'Cairo', 'Berlin', 'Rome'],
  ),
  ...asked('play_song', (title) => `Play the song "${title}".`, 'Yesterday', 'Thriller', 'Hello', 'Dreams', 'Africa'),
  ...asked('translate_word', (word) => `Translate the word "${word}" to French.`, 'dog', 'water', 'tree', 'apple'),
  ...asked('set_timer', (minutes) => `Set a timer for ${minutes} minutes.`, '5', '10', '15', '20', '30', '45', '90'),
  ...asked('book_table', (people) => `Book a table for ${people} people at Luigi.`, '2', '3', '4', '5', '6', '8'),
  ...asked('open_file', (path) => `Open the file ${path}.`, 'notes.txt', 'todo.md', 'main.c', 'index.html', 'a.txt'),
  ...asked(
    'send_mail',
    (to) => `Send a mail to ${to} that says good morning.`,
    ...['Anna', 'Paul', 'Maria', 'Peter', 'Sarah', 'John', 'Emma'],
  ),
];

/** The same tools, asked for as people do. */
export const plainQuestions: readonly Question[] = [
  ...asked('weather_in_city', (city) => `Do I need an umbrella in ${city} today?`, 'Oslo', 'Paris', 'Madrid'),
  ...asked('weather_in_city', (city) => `How cold is it in ${city}?`, 'Moscow'),
  ...asked('play_song', (title) => `I want to hear ${title}.`, 'Yesterday', 'Imagine', 'Africa'),
  ...asked('translate_word', (word) => `What is "${word}" in Spanish?`, 'house', 'bread', 'moon'),
  ...asked('translate_word', (word) => `How do Germans say ${word}?`, 'window'),
  ...asked('set_timer', (minutes) => `Wake me in ${minutes} minutes.`, '20', '45'),
  ...asked('set_timer', (minutes) => `The eggs need ${minutes} minutes, tell me when they are done.`, '7', '10'),
  ...asked('book_table', (people) => `We are ${people} and want to eat at Mario tonight.`, '4', '6', '2'),
  ...asked('open_file', (path) => `What does ${path} say?`, 'readme.md', 'notes.txt', 'config.json'),
  ...asked('send_mail', (to) => `Let ${to} know that I am late.`, 'Anna', 'Tom', 'Julia'),
];

/** What needs none. */
export const smallTalk = [
  ...['Hello, how are you?', 'Thank you very much!', 'Good morning!', 'What is your name?', 'Are you happy today?'],
  ...['What is the capital of France?', 'Who wrote Romeo and Juliet?', 'What color is the sky?', 'Is water wet?'],
  ...['What is two plus two?', 'How many days are in a week?', 'What is a cat?', 'Why do birds sing?', 'What is love?'],
  ...['Who was Albert Einstein?', 'How does a car work?', 'What is the sun made of?', 'What do cows eat?'],
  ...['How many legs has a spider?', 'What is the largest ocean?'],
];

export const ajv = new Ajv2020({ strict: false });
const fits = new Map(tools.map(({ name, schema }) => [name, ajv.compile(schema)]));
export const fitting = ({ name, arguments: values }: ReadCall) => fits.get(String(name))?.(values) === true;
export const isRight = ({ tool, holds }: Question, call: ReadCall | undefined) =>
  call?.name === tool &&
  JSON.stringify(call.arguments ?? '')
    .toLowerCase()
    .includes(holds);
