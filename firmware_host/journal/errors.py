"""What can go wrong with the journal: what happened, where, and what to do."""

from __future__ import annotations

from game_logic.core import Text

_SENTENCES = {
    "full": Text(
        "Le disque de {path} est plein : rien n'est perdu, mais le coup n'est pas encore gardé. "
        "Faites de la place, puis réessayez.",
        "The disk of {path} is full: nothing is lost, but the move is not kept yet. "
        "Make room, then try again.",
    ),
    "read_only": Text(
        "{path} est en lecture seule : le coup n'est pas gardé. Vérifiez les droits du fichier, et "
        "si la carte SD est passée en lecture seule (usure ?), remontez-la ou remplacez-la.",
        "{path} is read-only: the move is not kept. Check the rights of the file, and whether the "
        "SD card has gone read-only (worn out?); remount or replace it.",
    ),
    "locked": Text(
        "Un autre programme tient {path} : le coup n'est pas gardé. Un second Cavale "
        "tourne-t-il ? Arrêtez-le, puis réessayez.",
        "Another program holds {path}: the move is not kept. Is a second Cavale running? "
        "Stop it, then try again.",
    ),
    "io": Text(
        "Erreur du disque sur {path} ({detail}) : le coup n'est pas gardé. Réessayez ; si cela "
        "dure, copiez le fichier et changez la carte SD.",
        "Disk error on {path} ({detail}): the move is not kept. Try again; if it stays, copy the "
        "file and change the SD card.",
    ),
    "cannot_open": Text(
        "Impossible d'ouvrir {path} ({detail}). Vérifiez que le dossier existe et que Cavale "
        "peut y écrire.",
        "Cannot open {path} ({detail}). Check that the folder exists and that Cavale may write "
        "there.",
    ),
    "no_wal": Text(
        "{path} est sur un système de fichiers sans mémoire partagée ({detail}). Mettez le "
        "journal sur un disque local.",
        "{path} is on a file system without shared memory ({detail}). Put the journal on a local "
        "disk.",
    ),
    "in_the_way": Text(
        "{path} existe déjà et n'est pas écrasé. Donnez un autre nom.",
        "{path} is there already, and is not overwritten. Give another name.",
    ),
    "in_use": Text(
        "{path} est ouvert par un autre programme : rien n'a changé. Arrêtez d'abord Cavale "
        "(sudo systemctl stop cavale).",
        "{path} is open in another program: nothing has changed. Stop Cavale first "
        "(sudo systemctl stop cavale).",
    ),
    "missing": Text(
        "Il n'y a pas de journal à {path}. Il naît avec la première partie.",
        "There is no journal at {path}. It is made with the first game.",
    ),
    "damaged": Text(
        "Le journal {path} est abîmé ({detail}). Au prochain démarrage, Cavale le met de côté sans "
        "le toucher et en commence un nouveau.",
        "The journal {path} is damaged ({detail}). On its next start Cavale sets it aside, "
        "untouched, and begins a new one.",
    ),
    "set_aside": Text(
        "Le journal était abîmé ({detail}). Il est gardé, intact, dans {aside} ; un nouveau "
        "commence dans {path}.",
        "The journal was damaged ({detail}). It is kept, untouched, as {aside}; a new one begins "
        "as {path}.",
    ),
    "newer": Text(
        "{path} vient d'un Cavale plus récent (format {found}, connu : {known}). Mettez Cavale à "
        "jour, ou indiquez un autre fichier.",
        "{path} comes from a newer Cavale (format {found}, known: {known}). Update Cavale, or name "
        "another file.",
    ),
    "older": Text(
        "{path} vient d'un Cavale plus ancien (format {found}). Démarrez une fois `cavale run` "
        "pour le mettre à jour.",
        "{path} comes from an older Cavale (format {found}). Start `cavale run` once to bring it "
        "up to date.",
    ),
    "foreign": Text(
        "{path} est la base d'un autre programme : Cavale n'y touche pas. Indiquez un autre "
        "fichier.",
        "{path} is another program's database: Cavale leaves it alone. Name another file.",
    ),
    "game_open": Text(
        "La partie {id} est encore ouverte dans {path}. Finissez-la ou abandonnez-la d'abord.",
        "Game {id} is still open in {path}. End or abandon it first.",
    ),
    "no_game": Text(
        "Il n'y a pas de partie {id} dans {path}. `cavale history` montre celles qu'il y a.",
        "There is no game {id} in {path}. `cavale history` shows those there are.",
    ),
    "conflict": Text(
        "Un autre programme a écrit dans la partie {id} de {path} : le coup {seq} n'est pas gardé. "
        "Arrêtez l'autre Cavale, puis redémarrez celui-ci.",
        "Another program has written to game {id} of {path}: entry {seq} is not kept. Stop the "
        "other Cavale, then restart this one.",
    ),
    "retold": Text(
        "La partie {id} de {path} ne se rejoue plus pareil, à partir de l'entrée {seq} : {why}",
        "Game {id} of {path} no longer replays the same, from entry {seq} on: {why}",
    ),
    "cannot_resume": Text(
        "La partie {id} de {path} ne peut pas reprendre : {why}. Son journal est gardé. "
        "Abandonnez-la pour en commencer une autre, ou revenez au Cavale d'avant.",
        "Game {id} of {path} cannot be resumed: {why}. Its log is kept. Abandon it to begin "
        "another, or go back to the Cavale before.",
    ),
    "unexpected": Text(
        "Erreur inattendue du journal {path} ({detail}) : le coup n'est pas gardé. Réessayez, et "
        "signalez-la.",
        "Unexpected error of the journal {path} ({detail}): the move is not kept. Try again, and "
        "report it.",
    ),
}


def sentence(code: str, **fields: object) -> Text:
    """The sentence of that code; a field that is itself a Text is filled in per language."""
    fr = {key: value.fr if isinstance(value, Text) else value for key, value in fields.items()}
    en = {key: value.en if isinstance(value, Text) else value for key, value in fields.items()}
    return Text(_SENTENCES[code].fr.format_map(fr), _SENTENCES[code].en.format_map(en))


class JournalError(Exception):
    """The journal could not do it: a stable code for programs, a sentence for people."""

    def __init__(self, code: str, **fields: object) -> None:
        self.code = code
        self.text = sentence(code, **fields)
        super().__init__(code, self.text)

    def __str__(self) -> str:
        return f"{self.code}: {self.text.en}"


class Damaged(JournalError):
    """The file does not hold what a journal holds."""

    def __init__(self, path: object, detail: str) -> None:
        super().__init__("damaged", path=path, detail=detail)
        self.detail = detail


class CannotResume(JournalError):
    """The open game fits these rules no more. `problems` may name secrets: for the owner's log."""

    def __init__(self, path: object, id: int, why: Text, problems: tuple[str, ...] = ()) -> None:
        super().__init__("cannot_resume", path=path, id=id, why=why)
        self.id = id
        self.problems = problems


# SQLite's primary result codes; sqlite3 and apsw carry them under different names.
_CODES = {
    3: "read_only",
    5: "locked",
    6: "locked",
    8: "read_only",
    10: "io",
    13: "full",
    14: "cannot_open",
    15: "locked",
    23: "read_only",
}
_DAMAGE = (11, 20, 26)  # a corrupt page, a wrong type, not a database
_WRONG_SCHEMA = 1


def plainly(path: object, error: Exception, *, checking: bool = False) -> JournalError:
    """Any error met while using the database, as the journal's own.

    While the file is being checked, a question that cannot be asked of it shows damage too.
    """
    if isinstance(error, JournalError):
        return error
    code = getattr(error, "sqlite_errorcode", None) or getattr(error, "result", None)
    if isinstance(error, UnicodeDecodeError) or "decode to UTF-8" in str(error):
        return Damaged(path, "a text is not text")
    if not isinstance(code, int):
        detail = f"{type(error).__name__}: {error}"
        return JournalError("unexpected", path=path, detail=detail)
    if code & 0xFF in _DAMAGE or (checking and code & 0xFF == _WRONG_SCHEMA):
        return Damaged(path, str(error))
    return JournalError(_CODES.get(code & 0xFF, "unexpected"), path=path, detail=str(error))
