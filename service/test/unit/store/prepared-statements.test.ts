import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { PreparedStatements } from '../../../src/store/sqlite/prepared-statements';

function open(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  onTestFinished(() => database.close());
  return database;
}

test('a text gives the same statement, which also works after a change of its table', () => {
  const database = open();
  database.exec('CREATE TABLE cities (name TEXT)');
  const statements = new PreparedStatements(database);
  const insert = statements.get("INSERT INTO cities (name) VALUES ('Ulm')");
  insert.run();
  expect(statements.get('SELECT * FROM cities').all()).toEqual([{ name: 'Ulm' }]);

  database.exec('ALTER TABLE cities ADD COLUMN country TEXT');
  expect(statements.get("INSERT INTO cities (name) VALUES ('Ulm')")).toBe(insert);
  insert.run();
  expect(statements.get('SELECT * FROM cities').all()).toEqual(Array(2).fill({ name: 'Ulm', country: null }));
});

test('the statement that was unused for the longest time is dropped first', () => {
  const statements = new PreparedStatements(open());
  const first = statements.get('SELECT 0');
  const second = statements.get('SELECT 1');
  for (let number = 2; number < 100; number++) statements.get(`SELECT ${number}`);
  expect(statements.get('SELECT 0')).toBe(first);
  statements.get('SELECT 100');
  expect(statements.get('SELECT 0')).toBe(first);
  expect(statements.get('SELECT 1')).not.toBe(second);
});
