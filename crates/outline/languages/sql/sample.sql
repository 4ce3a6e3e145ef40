-- Tables of a small library.
CREATE SCHEMA shelf;

/* Who may come in. */
CREATE TYPE shelf.mood AS ENUM ('quiet', 'loud');

CREATE TYPE shelf.place AS (
    room integer,
    board text
);

-- Readers, one a row.
CREATE TABLE shelf.readers (
    id bigint PRIMARY KEY,
    name text NOT NULL,
    -- When the reader came first.
    since timestamp DEFAULT now(),
    mood shelf.mood
);

CREATE TABLE IF NOT EXISTS "Books" (
    id integer NOT NULL,
    title varchar(200),
    CONSTRAINT books_pk PRIMARY KEY (id)
);

CREATE TEMPORARY TABLE scratch (word text);

CREATE UNIQUE INDEX readers_name ON shelf.readers (name);

CREATE INDEX books_title
    ON "Books" (title)
    WHERE title IS NOT NULL;

CREATE SEQUENCE shelf.numbers START WITH 10 INCREMENT BY 2;

-- Those who speak.
CREATE OR REPLACE VIEW shelf.loud_readers AS
SELECT r.id,
       CASE
           WHEN r.name IS NULL THEN 'nobody'
           ELSE r.name
       END AS name
FROM shelf.readers r
WHERE r.mood = 'loud';

CREATE MATERIALIZED VIEW counts AS
SELECT mood, count(*) AS readers
FROM shelf.readers
GROUP BY mood;

-- How many there are.
CREATE FUNCTION shelf.how_many(asked shelf.mood)
RETURNS bigint
LANGUAGE sql
AS $$
    SELECT count(*)
    FROM shelf.readers
    WHERE mood = asked;
$$;

CREATE OR REPLACE FUNCTION shelf.note_change() RETURNS trigger AS $body$
DECLARE
    amount integer := 0;
BEGIN
    IF NEW.name IS NULL THEN
        RAISE EXCEPTION 'a name; is needed';
    END IF;
    RETURN NEW;
END;
$body$ LANGUAGE plpgsql;

CREATE TRIGGER note_change
    BEFORE INSERT OR UPDATE ON shelf.readers
    FOR EACH ROW
    EXECUTE FUNCTION shelf.note_change();

CREATE PROCEDURE clear_scratch()
LANGUAGE sql
AS $$
    DELETE FROM scratch;
$$;

ALTER TABLE shelf.readers
    ADD COLUMN town text,
    ADD CONSTRAINT readers_town CHECK (town <> '');

INSERT INTO shelf.readers (id, name, mood) VALUES
    (1, 'Ada', 'quiet'),
    (2, 'Bo; with a sign', 'loud');

UPDATE shelf.readers
SET mood = 'quiet'
WHERE id = 2;

WITH few AS (
    SELECT id
    FROM shelf.readers
)
SELECT *
FROM few
LIMIT 3;

CREATE TABLE `orders` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `note` varchar(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `by_note` (`note`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

DELIMITER //
CREATE PROCEDURE add_order(IN note varchar(20))
BEGIN
    DECLARE amount int DEFAULT 0;
    WHILE amount < 2 DO
        INSERT INTO `orders` (`note`) VALUES (note);
        SET amount = amount + 1;
    END WHILE;
END //
DELIMITER ;

CREATE TRIGGER tidy AFTER INSERT ON "Books"
BEGIN
    UPDATE "Books" SET title = trim(title) WHERE id = NEW.id;
    DELETE FROM scratch WHERE word = NEW.title;
END;

CREATE ROLE reader_role;
GRANT SELECT ON shelf.readers TO reader_role;
